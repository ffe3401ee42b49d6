package io.millrace.internal.fields;

/** Numbers in text, as JSON writes them: read and compared without allocation. */
public final class NumberText {
    /** A long holds so many digits. */
    private static final int MAX_DIGITS = 18;

    private static final int MAX_EXPONENT = 400;
    private static final double[] POWERS = new double[23];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private NumberText() {}

    /** The position after a number; -1 if there is none. */
    static int end(byte[] b, int begin, int end) {
        int pos = begin < end && b[begin] == '-' ? begin + 1 : begin;
        int digits = digits(b, pos, end);
        if (digits == pos || (b[pos] == '0' && digits > pos + 1)) {
            return -1;
        }
        pos = digits;
        if (pos < end && b[pos] == '.') {
            digits = digits(b, pos + 1, end);
            if (digits == pos + 1) {
                return -1;
            }
            pos = digits;
        }
        if (pos < end && (b[pos] == 'e' || b[pos] == 'E')) {
            int from = pos + 1 < end && (b[pos + 1] == '+' || b[pos + 1] == '-') ? pos + 2 : pos + 1;
            digits = digits(b, from, end);
            return digits == from ? -1 : digits;
        }
        return pos;
    }

    private static int digits(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] >= '0' && b[pos] <= '9') {
            pos++;
        }
        return pos;
    }

    /** True if the whole range is a number. Leading zeros are allowed, as in {@code logid=0000000013}. */
    public static boolean isNumber(byte[] b, int begin, int end) {
        int first = begin < end && b[begin] == '-' ? begin + 1 : begin;
        int pos = first;
        while (pos + 1 < end && b[pos] == '0' && b[pos + 1] >= '0' && b[pos + 1] <= '9') {
            pos++;
        }
        return pos < end && end(b, pos, end) == end && b[pos] != '-';
    }

    /** Compares two numbers; the result is negative, zero or positive. */
    public static int compare(byte[] a, int aBegin, int aEnd, byte[] b, int bBegin, int bEnd) {
        if (isShortInteger(a, aBegin, aEnd) && isShortInteger(b, bBegin, bEnd)) {
            return Long.compare(integer(a, aBegin, aEnd), integer(b, bBegin, bEnd));
        }
        double left = value(a, aBegin, aEnd);
        double right = value(b, bBegin, bEnd);
        return left < right ? -1 : left > right ? 1 : 0;
    }

    private static boolean isShortInteger(byte[] b, int begin, int end) {
        int pos = begin < end && b[begin] == '-' ? begin + 1 : begin;
        return end - pos <= MAX_DIGITS && digits(b, pos, end) == end;
    }

    private static long integer(byte[] b, int begin, int end) {
        long value = 0;
        int pos = b[begin] == '-' ? begin + 1 : begin;
        for (; pos < end; pos++) {
            value = 10 * value + b[pos] - '0';
        }
        return b[begin] == '-' ? -value : value;
    }

    /** The value of a number: of its first 18 digits, and rounded to a double. */
    public static double value(byte[] b, int begin, int end) {
        long mantissa = mantissa(b, begin, end);
        int exponent = exponent(b, begin, end);
        double value = mantissa;
        for (int left = Math.abs(exponent); left > 0 && value != 0; left -= POWERS.length - 1) {
            double power = POWERS[Math.min(left, POWERS.length - 1)];
            value = exponent < 0 ? value / power : value * power;
        }
        return b[begin] == '-' ? -value : value;
    }

    /** The first 18 digits of a number, without its sign, from the first that is not zero. */
    private static long mantissa(byte[] b, int begin, int end) {
        long mantissa = 0;
        int digits = 0;
        for (int i = begin; i < end && b[i] != 'e' && b[i] != 'E'; i++) {
            if (b[i] >= '0' && b[i] <= '9' && digits < MAX_DIGITS) {
                mantissa = 10 * mantissa + b[i] - '0';
                digits += mantissa == 0 ? 0 : 1;
            }
        }
        return mantissa;
    }

    /** The power of ten that the first 18 digits are multiplied by. */
    private static int exponent(byte[] b, int begin, int end) {
        int exponent = 0;
        int digits = 0;
        boolean fraction = false;
        boolean zero = true;
        int i = begin;
        for (; i < end && b[i] != 'e' && b[i] != 'E'; i++) {
            if (b[i] == '.') {
                fraction = true;
            } else if (b[i] != '-') {
                zero &= b[i] == '0';
                boolean counts = digits < MAX_DIGITS;
                digits += zero ? 0 : 1;
                exponent += fraction ? (counts ? -1 : 0) : (counts ? 0 : 1);
            }
        }
        if (i + 1 >= end) {
            return exponent;
        }
        boolean negative = b[i + 1] == '-';
        int written = 0;
        for (i = negative || b[i + 1] == '+' ? i + 2 : i + 1; i < end; i++) {
            written = Math.min(10 * written + b[i] - '0', 1_000_000);
        }
        int sum = exponent + (negative ? -written : written);
        return Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, sum));
    }

    /**
     * A number of seconds in ns. Digits after the 18th are 0.
     *
     * @return -1 if it is negative, or later than the year 2200
     */
    public static long secondsToNs(byte[] b, int begin, int end) {
        final long most = 7_258_118_400L * 1_000_000_000L;
        int shift = exponent(b, begin, end) + 9;
        if (b[begin] == '-') {
            return -1;
        }
        long value = mantissa(b, begin, end);
        for (; shift < 0 && value > 0; shift++) {
            value /= 10;
        }
        for (; shift > 0 && value > 0 && value <= most; shift--) {
            value = value > most / 10 ? most + 1 : 10 * value;
        }
        return value > most ? -1 : value;
    }
}
