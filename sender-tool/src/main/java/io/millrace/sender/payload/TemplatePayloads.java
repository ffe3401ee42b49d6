package io.millrace.sender.payload;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Generated payloads: template and size are chosen pseudo-randomly from the seed. */
final class TemplatePayloads implements Payloads {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final PayloadTemplate[] templates;
    private final @Nullable PayloadSizes sizes;
    private final long seed;
    private final int runId;
    private final boolean varies;
    private final int maxBytes;
    private long second = -1;

    /**
     * Makes payloads of templates.
     *
     * @param templates their number is a power of two; each is as long as the longest size
     * @param sizes null for the lengths of the templates
     */
    TemplatePayloads(PayloadTemplate[] templates, @Nullable PayloadSizes sizes, long seed, int runId) {
        this.templates = templates;
        this.sizes = sizes;
        this.seed = seed;
        this.runId = runId;
        this.varies = templates.length > 1 || (sizes != null && !sizes.isFixed());
        int longest = 0;
        for (PayloadTemplate template : templates) {
            longest = Math.max(longest, template.bytes().length);
        }
        this.maxBytes = sizes == null ? longest : sizes.max();
    }

    @Override
    public int put(ByteBuffer target, int index, long n, int source, int sequence, long intendedMicros) {
        long now = intendedMicros / MICROS_PER_SECOND;
        if (now != second) {
            second = now;
            for (PayloadTemplate template : templates) {
                template.setTime(now);
            }
        }
        long hash = varies ? SplitMix64.of(seed, n) : 0;
        PayloadTemplate template = templates[(int) hash & (templates.length - 1)];
        byte[] bytes = template.bytes();
        int size = sizes == null ? bytes.length : sizes.at(hash);
        template.setIdentity(runId, source, sequence, (int) intendedMicros);
        target.put(index, bytes, 0, size);
        return size;
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }
}
