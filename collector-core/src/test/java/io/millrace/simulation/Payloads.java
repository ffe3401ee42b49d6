package io.millrace.simulation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Messages with a number, which identifies them wherever they appear. */
final class Payloads {
    private static final String HEAD = "<14>";

    private Payloads() {}

    /** A message of a random length. */
    static byte[] of(int number, SplittableRandom random, int maxBytes) {
        byte[] head = (HEAD + number + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(head, head.length + random.nextInt(maxBytes));
        Arrays.fill(bytes, head.length, bytes.length, (byte) ('a' + number % 26));
        return bytes;
    }

    /** The number of a message; -1 if these bytes are none. */
    static int number(byte[] bytes, int begin, int end) {
        int at = begin + HEAD.length();
        int number = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            number = 10 * number + bytes[at++] - '0';
        }
        if (at >= end || bytes[at] != ' ' || at == begin + HEAD.length()) {
            return -1;
        }
        for (int i = at + 1; i < end; i++) {
            if (bytes[i] != 'a' + number % 26) {
                return -1;
            }
        }
        return number;
    }
}
