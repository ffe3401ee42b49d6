package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.parse.ParserChecks;
import io.millrace.internal.parse.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Bytes are a message, or lines of them. */
public final class ParserFuzz extends FuzzTarget {
    private final ParserChecks checks = new ParserChecks();

    /** Made by name. */
    public ParserFuzz() {
        super("parser");
    }

    @Override
    protected void take(byte[] bytes) {
        checks.check(bytes, bytes.length);
    }

    @Override
    protected List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>(Samples.all());
        seeds.add("<13>a: one\n<13>1 - - - - - - two\r\n\n\0\nCEF:0|v|p|1|1|n|5|a=b\\= c=d\n".getBytes(UTF_8));
        return seeds;
    }
}
