package io.millrace.internal.edit;

/**
 * Finds numbers of payment cards in a run of digits with single blanks and dashes between: 13 to 19 digits whose check digit is right
 * (Luhn). A number begins and ends where a group of digits does. If there are several, the part reaches from the first to the last.
 */
final class CardNumbers implements Narrowing {
    static final int MIN_DIGITS = 13;
    static final int MAX_DIGITS = 19;

    @Override
    public int begin(byte[] text, int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (isDigit(text[i]) && (i == begin || !isDigit(text[i - 1])) && longest(text, i, end) >= 0) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int end(byte[] text, int begin, int end) {
        int last = begin;
        for (int i = begin; i < end; i++) {
            if (isDigit(text[i]) && (i == begin || !isDigit(text[i - 1]))) {
                last = Math.max(last, longest(text, i, end));
            }
        }
        return last;
    }

    /** The end of the longest number that begins here; -1 if there is none. */
    private static int longest(byte[] text, int begin, int end) {
        int found = -1;
        int digits = 0;
        for (int i = begin; i < end && digits < MAX_DIGITS; i++) {
            if (isDigit(text[i])) {
                digits++;
                boolean endsGroup = i + 1 == end || !isDigit(text[i + 1]);
                if (endsGroup && digits >= MIN_DIGITS && isChecked(text, begin, i + 1)) {
                    found = i + 1;
                }
            }
        }
        return found;
    }

    private static boolean isChecked(byte[] text, int begin, int end) {
        int sum = 0;
        boolean twice = false;
        for (int i = end - 1; i >= begin; i--) {
            if (isDigit(text[i])) {
                int value = (text[i] - '0') * (twice ? 2 : 1);
                sum += value > 9 ? value - 9 : value;
                twice = !twice;
            }
        }
        return sum % 10 == 0;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
