package io.millrace.sender;

/**
 * The chance in a run: a number for each datagram that depends on the seed and the datagram's number alone, so that a
 * seed gives the same run again, however many threads share it. The mixing is that of SplitMix64.
 */
final class Mix {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private Mix() {}

    static long of(long seed, long n) {
        long z = seed + (n + 1) * STEP;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A number from 0 to {@code bound} - 1 out of the upper 32 bits; the lower ones are for another choice. */
    static int upper(long mixed, int bound) {
        return (int) (((mixed >>> 32) * bound) >>> 32);
    }
}
