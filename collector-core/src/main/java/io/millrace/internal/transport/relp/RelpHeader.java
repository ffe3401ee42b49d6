package io.millrace.internal.transport.relp;

/** Reader of the header of a RELP frame, {@code TXNR SP COMMAND SP DATALEN}, one byte at a time. One thread. */
public final class RelpHeader {
    private static final int MAX_DIGITS = 9;
    private static final int MAX_COMMAND_LETTERS = 32;

    /** What the next byte belongs to. */
    public enum Part {
        TXNR,
        COMMAND,
        LENGTH,
        /** The data: the last byte was the first one after the length. */
        COMPLETE
    }

    private Part part = Part.TXNR;
    private int digits;
    private int txnr;
    /** The letters of the command, the last in the lowest byte. More than eight push the first ones out. */
    private long command;

    private int letters;
    private int dataLength;

    /**
     * A known command.
     *
     * @param word its letters, or the last eight of them
     */
    public record Command(long word, int letters) {
        public static Command of(String name) {
            long word = 0;
            for (int i = 0; i < name.length(); i++) {
                word = word << Byte.SIZE | name.charAt(i);
            }
            return new Command(word, name.length());
        }
    }

    /** Begins with the next frame. */
    public void reset() {
        part = Part.TXNR;
        digits = 0;
        txnr = 0;
        command = 0;
        letters = 0;
        dataLength = 0;
    }

    /**
     * Takes a byte. The byte after the length is a space, or a line feed if there is no data: the caller checks which.
     *
     * @return false if a header has another byte there; it is not taken
     */
    public boolean take(byte next) {
        return switch (part) {
            case TXNR -> number(next) || (digits > 0 && next == ' ' && begin(Part.COMMAND));
            case COMMAND -> letter(next) || (letters > 0 && next == ' ' && begin(Part.LENGTH));
            default -> number(next) || (digits > 0 && (next == ' ' || next == '\n') && begin(Part.COMPLETE));
        };
    }

    private boolean begin(Part next) {
        part = next;
        digits = 0;
        return true;
    }

    private boolean number(byte next) {
        if (next < '0' || next > '9' || digits == MAX_DIGITS) {
            return false;
        }
        digits++;
        if (part == Part.TXNR) {
            txnr = txnr * 10 + next - '0';
        } else {
            dataLength = dataLength * 10 + next - '0';
        }
        return true;
    }

    private boolean letter(byte next) {
        if ((next | 0x20) < 'a' || (next | 0x20) > 'z' || letters == MAX_COMMAND_LETTERS) {
            return false;
        }
        command = command << Byte.SIZE | next;
        letters++;
        return true;
    }

    public Part part() {
        return part;
    }

    /** The number of the frame; 0 for hints, which answer nothing and get no answer. */
    public int txnr() {
        return txnr;
    }

    public boolean is(Command known) {
        return command == known.word() && letters == known.letters();
    }

    public int dataLength() {
        return dataLength;
    }
}
