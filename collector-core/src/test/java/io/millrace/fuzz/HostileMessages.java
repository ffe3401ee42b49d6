package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Random;

/** Messages that somebody sends to harm an output: too long, not text, or with fields that are to become names, paths, keys or frames. */
public final class HostileMessages {
    private static final int MAX_DATAGRAM = 65_000;
    private static final List<String> NAMES = List.of(
            "all",
            "@other",
            "..",
            "../../etc/passwd",
            ".hidden",
            "web-20261123T222148Z.zst",
            "web@20261123T222148Z.log.gz",
            "a.unfinished",
            "\u0000",
            "\u202egnp.exe",
            "-rf",
            "*",
            "{hostname}",
            "${jndi:x}",
            "con",
            "x".repeat(255),
            "\u00e4".repeat(120));

    private final Random random;

    /** A row of messages that depends on the seed alone. */
    public HostileMessages(long seed) {
        this.random = new Random(seed);
    }

    /** The next one, with a text to know it by. */
    public byte[] next(String mark) {
        return switch (random.nextInt(12)) {
            case 0 -> text("<13>1 2026-11-21T10:00:00Z evil a - - - " + mark + "\u0001".repeat(60_000));
            case 1 -> noise(mark, random.nextInt(2_000));
            case 2 -> noise(mark, random.nextInt(MAX_DATAGRAM));
            case 3 -> text("<34>1 - " + name() + " " + name() + " " + name() + " " + name() + " - " + mark);
            case 4 -> text("<" + random.nextInt(200) + ">Nov 21 10:00:00 " + name() + " " + name() + ": " + mark);
            case 5 ->
                text("<34>1 - h a - - [millrace@32473 source=\"192.0.2.1\" sequence=\"7\"][" + name() + " k"
                        + random.nextInt() + "=\"" + name() + "\"] " + mark);
            case 6 -> text("<34>1 - h a - - [x@1 y=\"" + "\\\"] ".repeat(random.nextInt(10_000)) + "\"] " + mark);
            case 7 -> text(random.nextInt(1_000_000) + " " + mark);
            case 8 -> text(mark + "\n".repeat(random.nextInt(3_000)) + "{\"index\":{\"_index\":\"x\"}}\n");
            case 9 -> text("<34>1 - h a - - - " + mark + " " + "{\"a\":[".repeat(random.nextInt(5_000)));
            case 10 -> text("<34>1 - evil" + random.nextInt() + " a" + random.nextInt() + " - - - " + mark);
            default -> text("<34>CEF:0|v|p|1|" + name() + "|n|5|" + mark + " " + "k=v ".repeat(random.nextInt(4_000)));
        };
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return bytes.length <= MAX_DATAGRAM
                ? bytes
                : text.substring(0, MAX_DATAGRAM / 3).getBytes(UTF_8);
    }

    private byte[] noise(String mark, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        byte[] head = mark.getBytes(ISO_8859_1);
        System.arraycopy(head, 0, bytes, 0, Math.min(head.length, length));
        return bytes;
    }
}
