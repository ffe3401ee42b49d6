package io.millrace.sender.payload;

import io.millrace.sender.value.Text;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The pattern of generated payloads. */
public enum PayloadPattern {
    /** The identity and letters. */
    SEQUENCE(1),
    /** Constant bytes without an identity. */
    FIXED(1),
    RFC5424(64),
    RFC3164(64),
    CISCO(64),
    /** All kinds of syslog; without a size, of many lengths. */
    MIXED(256);

    static final int DEFAULT_SIZE = 125;

    private static final String[] MESSAGE_IDS = {"REQ", "AUTH", "CONN", "JOB7", "-"};
    private static final String[] CISCO_KINDS = {
        "%LINK-3-UPDOWN: ", "%LINEPROTO-5-UPDOWN: ", "%SYS-5-CONFIG_I: ", "%SEC-6-IPACCESSLOGP: ", "%ASA-6-302013: "
    };

    private final int variants;

    PayloadPattern(int variants) {
        this.variants = variants;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The sizes if none were given; null for the messages' own lengths. */
    @Nullable
    public PayloadSizes defaultSizes() {
        return this == MIXED ? null : PayloadSizes.of(DEFAULT_SIZE);
    }

    /**
     * Makes the payloads of one thread.
     *
     * @param sizes null for the messages' own lengths
     * @throws IllegalArgumentException when a size has no room for a message's header and its identity
     */
    public Payloads payloads(@Nullable PayloadSizes sizes, long seed, int runId) {
        PayloadTemplate[] templates = new PayloadTemplate[variants];
        SplittableRandom random = new SplittableRandom(seed);
        int minBytes = 0;
        for (int i = 0; i < variants; i++) {
            LogTextGenerator log = new LogTextGenerator(random.split());
            templates[i] = template(this, log, sizes == null ? naturalSize(log) : sizes.max(), i);
            minBytes = Math.max(minBytes, templates[i].minBytes());
        }
        if (sizes != null && sizes.min() < minBytes) {
            throw new IllegalArgumentException(Text.format(
                    "a payload of the pattern %s needs at least %d bytes%s, but --size is %s",
                    this,
                    minBytes,
                    this == FIXED ? "" : this == SEQUENCE ? ", its identity" : " with its header and its identity",
                    sizes.text()));
        }
        return new TemplatePayloads(templates, sizes, seed, runId);
    }

    /** Most messages are short, some are long. The shortest has room for each header and the identity. */
    private static int naturalSize(LogTextGenerator log) {
        return switch (log.number(0, 9)) {
            case 0 -> log.number(600, 1400);
            case 1, 2 -> log.number(280, 600);
            default -> log.number(120, 280);
        };
    }

    private static PayloadTemplate template(PayloadPattern pattern, LogTextGenerator log, int size, int variant) {
        return switch (pattern) {
            case SEQUENCE -> PayloadTemplate.of("", PayloadTemplate.Clock.NONE, "", SequencePayload.padding(size));
            case FIXED -> PayloadTemplate.constant(fixed(size));
            case RFC5424 -> rfc5424(log, size);
            case RFC3164 -> rfc3164(log, size);
            case CISCO -> cisco(log, size);
            case MIXED ->
                template(new PayloadPattern[] {RFC5424, RFC3164, CISCO, RFC3164}[variant % 4], log, size, variant);
        };
    }

    /** All byte values in order, which shows a receiver that changes some of them. */
    private static byte[] fixed(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** PRI: facility and severity as a number. */
    private static int priority(LogTextGenerator log) {
        return log.number(0, 23) * 8 + log.number(0, 7);
    }

    private static PayloadTemplate rfc5424(LogTextGenerator log, int size) {
        String data = log.number(0, 2) == 0 ? Text.format("[id@32473 n=\"%d\"]", log.number(1, 9)) : "-";
        String after = Text.format(
                " %s %s %d %s %s ", log.host(), log.app(), log.number(1, 32_767), log.choose(MESSAGE_IDS), data);
        return filled("<" + priority(log) + ">1 ", PayloadTemplate.Clock.ISO, after, log, size);
    }

    private static PayloadTemplate rfc3164(LogTextGenerator log, int size) {
        String after = Text.format(" %s %s[%d]: ", log.host(), log.app(), log.number(1, 32_767));
        return filled("<" + priority(log) + ">", PayloadTemplate.Clock.BSD, after, log, size);
    }

    private static PayloadTemplate cisco(LogTextGenerator log, int size) {
        String before = Text.format("<%d>%d: *", 184 + log.number(0, 7), log.number(1, 99_999));
        return filled(before, PayloadTemplate.Clock.BSD, ": " + log.choose(CISCO_KINDS), log, size);
    }

    private static PayloadTemplate filled(
            String before, PayloadTemplate.Clock clock, String after, LogTextGenerator log, int size) {
        int head = before.length() + clock.at(0).length() + after.length() + SequencePayload.LENGTH;
        return PayloadTemplate.of(before, clock, after, log.text(Math.max(size - head, 0)));
    }
}
