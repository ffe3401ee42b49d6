package io.millrace.internal.gelf;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of a journal that were expanded last, for several readers of it: the first one expands a payload, the others
 * find it here. The oldest leave when there are more than {@value #MAX_BYTES} bytes; an output that needs one of these expands it again.
 * Any thread.
 */
public final class ExpandedPayloads {
    /** The maximum size of all payloads that are kept. */
    public static final int MAX_BYTES = 8 << 20;

    /** What an entry needs beside the bytes of its payload. */
    private static final int ENTRY_BYTES = 256;

    /** A datagram, and the limit that its size was compared with. */
    private record Place(int shard, long sequence, int maxBytes) {}

    private static final class Entry {
        private Expander.@Nullable Payload payload;

        /** Guarded by the lock of all payloads. */
        private int bytes = ENTRY_BYTES;
    }

    /** The oldest first. */
    private final Map<Place, Entry> entries = new LinkedHashMap<>();

    private int bytes;

    /** Creates an empty one. */
    public ExpandedPayloads() {}

    /**
     * The payload of a datagram. Readers that need the same one at the same time wait for the first of them.
     *
     * @param maxBytes the limit of its size
     * @param expand expands it
     */
    public Expander.Payload of(int shard, long sequence, int maxBytes, Supplier<Expander.Payload> expand) {
        Place place = new Place(shard, sequence, maxBytes);
        Entry entry = entry(place);
        synchronized (entry) {
            Expander.Payload found = entry.payload;
            if (found == null) {
                found = expand.get();
                entry.payload = found;
                expanded(place, entry, found.bytes().length);
            }
            return found;
        }
    }

    private synchronized Entry entry(Place place) {
        Entry found = entries.get(place);
        if (found == null) {
            found = new Entry();
            entries.put(place, found);
            bytes += ENTRY_BYTES;
            removeOldest();
        }
        return found;
    }

    private synchronized void expanded(Place place, Entry entry, int length) {
        if (entries.get(place) == entry) {
            entry.bytes += length;
            bytes += length;
            removeOldest();
        }
    }

    private void removeOldest() {
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > MAX_BYTES) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    /** The size of what is kept. */
    synchronized int bytes() {
        return bytes;
    }
}
