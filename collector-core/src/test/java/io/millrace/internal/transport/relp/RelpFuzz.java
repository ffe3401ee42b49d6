package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.fuzz.FuzzBytes;
import io.millrace.fuzz.FuzzTarget;
import java.util.List;
import java.util.Random;

/** The first bytes are the maximum length of a message, that of a read, and whether the sink refuses. The rest is the stream. */
public final class RelpFuzz extends FuzzTarget {
    private static final int LONGEST = 600;

    private final RelpChecks checks = new RelpChecks(LONGEST);

    /** Created by reflection. */
    public RelpFuzz() {
        super("relp");
    }

    @Override
    protected int longest() {
        return LONGEST;
    }

    @Override
    protected void take(byte[] bytes) {
        FuzzBytes input = new FuzzBytes(bytes);
        int max = 1 + input.u8();
        int maxPiece = 1 + input.u8();
        boolean refusing = input.u8() % 2 == 1;
        Random random = new Random(bytes.length);
        String difference = checks.difference(
                max,
                input.rest(),
                () -> 1 + random.nextInt(maxPiece),
                () -> refusing && random.nextBoolean(),
                random::nextBoolean);
        that(difference.isEmpty(), difference);
    }

    @Override
    protected List<byte[]> seeds() {
        String open = "1 open 30 relp_version=0\ncommands=syslog\n";
        return List.of(
                seed(200, 255, 0, open + "2 syslog 7 <13>one\n3 syslog 0\n4 close 0\n"),
                seed(4, 3, 1, open + "2 syslog 12 longer than 4\n000000003 starttls 0\n0 hint 3 abc\n4 syslog 1 x\n"),
                seed(30, 9, 0, open + "2 syslog 5 short\n"),
                seed(30, 9, 1, open + open),
                seed(30, 2, 0, "1 open 16 relp_version=123\n2 syslog 999999999 and so on"),
                seed(30, 7, 1, "<13>not RELP\n"));
    }

    private static byte[] seed(int max, int maxPiece, int refusing, String stream) {
        byte[] text = stream.getBytes(ISO_8859_1);
        byte[] seed = new byte[3 + text.length];
        seed[0] = (byte) max;
        seed[1] = (byte) maxPiece;
        seed[2] = (byte) refusing;
        System.arraycopy(text, 0, seed, 3, text.length);
        return seed;
    }
}
