package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.collector.StreamSettings.Framing;
import io.millrace.fuzz.FuzzBytes;
import io.millrace.fuzz.FuzzTarget;
import java.util.List;
import java.util.Random;

/** The first bytes are the mode, the maximum length of a message and that of a read. The rest is the stream. */
public final class FramerFuzz extends FuzzTarget {
    private static final int LONGEST = 600;
    private static final List<Framing> MODES = List.of(Framing.values());

    private final FramerChecks checks = new FramerChecks(LONGEST);

    /** Created by reflection. */
    public FramerFuzz() {
        super("framer");
    }

    @Override
    protected int longest() {
        return LONGEST;
    }

    @Override
    protected void take(byte[] bytes) {
        FuzzBytes input = new FuzzBytes(bytes);
        Framing mode = MODES.get(input.u8() % MODES.size());
        int max = 1 + input.u8();
        int maxPiece = 1 + input.u8();
        boolean refusing = input.u8() % 2 == 1;
        Random random = new Random(bytes.length);
        byte[] stream = input.rest();
        String difference = checks.difference(
                mode,
                max,
                stream,
                () -> 1 + random.nextInt(maxPiece),
                () -> refusing && random.nextBoolean(),
                () -> random.nextInt(8) == 0);
        that(difference.isEmpty(), difference);
    }

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                seed(0, 200, 255, 0, "11 <13>message<13>line\n<14>with CR\r\n\n\r\n5 <1>ab"),
                seed(0, 4, 1, 1, "20 <13>longer than four\n007 <13>abc0 <13>x\n12 monkeys\n99999999999 <1>a\n"),
                seed(1, 30, 3, 1, "3 abc\n4 abcd0 2 \n\n17 not so long"),
                seed(1, 30, 9, 0, "3 abcnone"),
                seed(2, 9, 2, 0, "12 <13>line\nnine byte\r\nten bytes \r\n\r\n\rlast\r"),
                seed(3, 9, 7, 1, "a\0\0b\r\0\nten bytes \0end"));
    }

    private static byte[] seed(int mode, int max, int maxPiece, int refusing, String stream) {
        byte[] text = stream.getBytes(ISO_8859_1);
        byte[] seed = new byte[4 + text.length];
        seed[0] = (byte) mode;
        seed[1] = (byte) max;
        seed[2] = (byte) maxPiece;
        seed[3] = (byte) refusing;
        System.arraycopy(text, 0, seed, 4, text.length);
        return seed;
    }
}
