package io.millrace.sender.schedule;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The sources of recorded datagrams, numbered in the order in which their addresses appear. A run with them sends each datagram from
 * the source that it had. Added to by one thread; any thread may read it then.
 */
public final class RecordedSources {
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
    private int[] sources = new int[1024];
    private int size;

    /** Adds the source of the next datagram. */
    public void add(byte[] address) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, 2 * size);
        }
        sources[size++] = numbers.computeIfAbsent(ByteBuffer.wrap(address), unused -> numbers.size());
    }

    /** The number of sources, of which no more than this many can be open. */
    public int count() {
        return Math.min(numbers.size(), SourceLayout.MAX_OPEN);
    }

    /** The source of datagram {@code n} of a run that repeats the recorded ones. */
    int of(long n) {
        return sources[(int) (n % size)] % SourceLayout.MAX_OPEN;
    }
}
