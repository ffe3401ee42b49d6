package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.parse.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Input whose first line is about the message after it. */
final class MessageInput {
    static final long NOW_NS = 1_795_262_400_000_000_000L;

    private MessageInput() {}

    static int lineEnd(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    static List<byte[]> beforeSamples(List<String> firstLines) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        int i = 0;
        for (byte[] sample : Samples.all()) {
            byte[] line = (firstLines.get(i++ % firstLines.size()) + "\n").getBytes(UTF_8);
            byte[] seed = new byte[line.length + sample.length];
            System.arraycopy(line, 0, seed, 0, line.length);
            System.arraycopy(sample, 0, seed, line.length, sample.length);
            seeds.add(seed);
        }
        return seeds;
    }
}
