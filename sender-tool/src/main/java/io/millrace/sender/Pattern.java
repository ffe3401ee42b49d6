package io.millrace.sender;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What kind of payloads a run makes up. */
enum Pattern {
    /** The identity and letters. */
    SEQUENCE(1),
    /** Constant bytes without an identity. */
    FIXED(1),
    RFC5424(64),
    RFC3164(64),
    CISCO(64),
    /** All kinds of syslog, and when no size is given, of many lengths. */
    MIXED(256);

    static final int DEFAULT_SIZE = 125;

    private static final String[] MESSAGE_IDS = {"REQ", "AUTH", "CONN", "JOB7", "-"};
    private static final String[] CISCO_KINDS = {
        "%LINK-3-UPDOWN: ", "%LINEPROTO-5-UPDOWN: ", "%SYS-5-CONFIG_I: ", "%SEC-6-IPACCESSLOGP: ", "%ASA-6-302013: "
    };

    private final int variants;

    Pattern(int variants) {
        this.variants = variants;
    }

    static Pattern parse(String text) {
        for (Pattern pattern : values()) {
            if (pattern.text().equals(text)) {
                return pattern;
            }
        }
        throw OptionValues.refused(
                text,
                "takes one of " + Arrays.stream(values()).map(Pattern::text).collect(Collectors.joining(", ")));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether each payload holds an identity. */
    boolean isNumbered() {
        return this != FIXED;
    }

    /** The sizes of a run for which none were given; null for a length that each message has of itself. */
    @Nullable
    Sizes defaultSizes() {
        return this == MIXED ? null : Sizes.of(DEFAULT_SIZE);
    }

    /**
     * Makes what one thread sends.
     *
     * @param sizes null for a length that each message has of itself
     * @throws IllegalArgumentException when a size cannot hold a message's header and its identity
     */
    Payloads payloads(@Nullable Sizes sizes, long seed, int runId) {
        Template[] templates = new Template[variants];
        SplittableRandom random = new SplittableRandom(seed);
        int least = 0;
        for (int i = 0; i < variants; i++) {
            Words words = new Words(random.split());
            templates[i] = template(this, words, sizes == null ? natural(words) : sizes.most(), i);
            least = Math.max(least, templates[i].least());
        }
        if (sizes != null && sizes.least() < least) {
            throw new IllegalArgumentException(Text.format(
                    "a payload of the pattern %s has at least %d bytes%s: --size takes no less, and got %s",
                    text(),
                    least,
                    this == FIXED ? "" : this == SEQUENCE ? ", its identity" : " with its header and its identity",
                    sizes.text()));
        }
        return new TemplatePayloads(templates, sizes, seed, runId);
    }

    /** Most messages are short, some long; the shortest holds each kind's header and the identity. */
    private static int natural(Words words) {
        return switch (words.number(0, 9)) {
            case 0 -> words.number(600, 1400);
            case 1, 2 -> words.number(280, 600);
            default -> words.number(120, 280);
        };
    }

    private static Template template(Pattern pattern, Words words, int size, int variant) {
        return switch (pattern) {
            case SEQUENCE -> Template.of("", Template.Clock.NONE, "", SequencePayload.padding(size));
            case FIXED -> Template.constant(fixed(size));
            case RFC5424 -> rfc5424(words, size);
            case RFC3164 -> rfc3164(words, size);
            case CISCO -> cisco(words, size);
            case MIXED -> template(new Pattern[] {RFC5424, RFC3164, CISCO, RFC3164}[variant % 4], words, size, variant);
        };
    }

    /** Every byte value in turn, so that a receiver that changes some of them is found out. */
    private static byte[] fixed(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** Facility and severity as a number. */
    private static int priority(Words words) {
        return words.number(0, 23) * 8 + words.number(0, 7);
    }

    private static Template rfc5424(Words words, int size) {
        String data = words.number(0, 2) == 0 ? Text.format("[id@32473 n=\"%d\"]", words.number(1, 9)) : "-";
        String after = Text.format(
                " %s %s %d %s %s ", words.host(), words.app(), words.number(1, 32_767), words.one(MESSAGE_IDS), data);
        return filled("<" + priority(words) + ">1 ", Template.Clock.ISO, after, words, size);
    }

    private static Template rfc3164(Words words, int size) {
        String after = Text.format(" %s %s[%d]: ", words.host(), words.app(), words.number(1, 32_767));
        return filled("<" + priority(words) + ">", Template.Clock.BSD, after, words, size);
    }

    private static Template cisco(Words words, int size) {
        String before = Text.format("<%d>%d: *", 184 + words.number(0, 7), words.number(1, 99_999));
        return filled(before, Template.Clock.BSD, ": " + words.one(CISCO_KINDS), words, size);
    }

    private static Template filled(String before, Template.Clock clock, String after, Words words, int size) {
        int head = before.length() + clock.at(0).length() + after.length() + SequencePayload.LENGTH;
        return Template.of(before, clock, after, words.text(Math.max(size - head, 0)));
    }
}
