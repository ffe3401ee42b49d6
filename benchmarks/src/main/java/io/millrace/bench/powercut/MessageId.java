package io.millrace.bench.powercut;

/** A source and a number of its messages in one value. */
final class MessageId {
    /** No message. */
    static final long NONE = -1;

    /** A message that is not of this test. */
    static final long OTHER = Long.MAX_VALUE;

    private MessageId() {}

    static long of(int source, int number) {
        return (long) source << Integer.SIZE | Integer.toUnsignedLong(number);
    }

    static int source(long id) {
        return (int) (id >>> Integer.SIZE);
    }

    static int number(long id) {
        return (int) id;
    }

    static String text(long id) {
        return id == NONE
                ? "no message"
                : id == OTHER
                        ? "a message that is not of this test"
                        : "message " + number(id) + " of source " + source(id);
    }
}
