package io.millrace.internal.sources;

/** The hash of source addresses. */
final class AddressHash {
    /** A random seed of the hash, so that an attacker cannot choose addresses that collide. */
    private static final long SEED = System.nanoTime() * 0x9E37_79B9_7F4A_7C15L ^ System.identityHashCode(new Object());

    private AddressHash() {}

    /** The hash of an address; another process has another seed. */
    static int of(long high, long low) {
        long mixed = mix(mix(high ^ SEED) + low);
        return (int) (mixed ^ mixed >>> 32);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
    }
}
