package io.millrace.internal.edit;

/** Which part of a match is redacted. */
interface Narrowing {
    /** All of it. */
    Narrowing NONE = new Narrowing() {
        @Override
        public int begin(byte[] text, int begin, int end) {
            return begin;
        }

        @Override
        public int end(byte[] text, int begin, int end) {
            return end;
        }
    };

    /** The beginning of the part; -1 if there is none. */
    int begin(byte[] text, int begin, int end);

    /**
     * The end of the part, exclusive.
     *
     * @param begin what {@link #begin} returned
     */
    int end(byte[] text, int begin, int end);
}
