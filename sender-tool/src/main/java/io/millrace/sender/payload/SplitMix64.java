package io.millrace.sender.payload;

/**
 * The SplitMix64 hash of a seed and a datagram's number: a seed gives the same run, however many threads share it.
 */
final class SplitMix64 {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    static long of(long seed, long n) {
        long z = seed + (n + 1) * STEP;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A number from 0 to {@code bound} - 1 from the upper 32 bits. The lower bits choose something else. */
    static int upper(long hash, int bound) {
        return (int) (((hash >>> 32) * bound) >>> 32);
    }
}
