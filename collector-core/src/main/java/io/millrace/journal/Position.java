package io.millrace.journal;

/**
 * The position of a datagram: its shard and its sequence number. Its text form is {@code SHARD/SEQUENCE}, such as
 * {@code 0/42}.
 *
 * @param shard the shard, from 0
 * @param sequence the sequence number, from 0
 */
public record Position(int shard, long sequence) {
    /** Validates that neither is negative. */
    public Position {
        if (shard < 0 || sequence < 0) {
            throw new IllegalArgumentException("a position accepts numbers from 0, not " + shard + "/" + sequence);
        }
    }

    /**
     * Parses {@code SHARD/SEQUENCE}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static Position parse(String text) {
        int slash = text.indexOf('/');
        try {
            return new Position(
                    Integer.parseInt(text.substring(0, Math.max(slash, 0))), Long.parseLong(text.substring(slash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a position is SHARD/SEQUENCE, for example 0/42, not '" + text + "'", e);
        }
    }

    /** True if a text has the form of a position. */
    public static boolean isPosition(String text) {
        return text.matches("\\d+/\\d+");
    }

    @Override
    public String toString() {
        return shard + "/" + sequence;
    }
}
