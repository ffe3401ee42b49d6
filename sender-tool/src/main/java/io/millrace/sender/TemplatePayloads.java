package io.millrace.sender;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Payloads from a set of templates, chosen by chance, of sizes chosen by chance; both from the seed. */
final class TemplatePayloads implements Payloads {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Template[] templates;
    private final @Nullable Sizes sizes;
    private final long seed;
    private final int runId;
    private final boolean chance;
    private final int most;
    private long second = -1;

    /**
     * Makes them.
     *
     * @param templates a power of two of them, each as long as the longest size
     * @param sizes null for the templates' own
     */
    TemplatePayloads(Template[] templates, @Nullable Sizes sizes, long seed, int runId) {
        this.templates = templates;
        this.sizes = sizes;
        this.seed = seed;
        this.runId = runId;
        this.chance = templates.length > 1 || (sizes != null && !sizes.isFixed());
        int longest = 0;
        for (Template template : templates) {
            longest = Math.max(longest, template.bytes().length);
        }
        this.most = sizes == null ? longest : sizes.most();
    }

    @Override
    public int put(ByteBuffer target, int index, long n, int source, int sequence, long intendedMicros) {
        long now = intendedMicros / MICROS_PER_SECOND;
        if (now != second) {
            second = now;
            for (Template template : templates) {
                template.setTime(now);
            }
        }
        long mixed = chance ? Mix.of(seed, n) : 0;
        Template template = templates[(int) mixed & (templates.length - 1)];
        byte[] bytes = template.bytes();
        int size = sizes == null ? bytes.length : sizes.at(mixed);
        template.setIdentity(runId, source, sequence, (int) intendedMicros);
        target.put(index, bytes, 0, size);
        return size;
    }

    @Override
    public int most() {
        return most;
    }
}
