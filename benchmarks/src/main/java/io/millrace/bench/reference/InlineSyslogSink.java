package io.millrace.bench.reference;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;

/** Parses each datagram as syslog and writes {@code timestamp host tag priority message}, as text. */
final class InlineSyslogSink implements LineSink {
    private static final int BUFFER_CHARS = 256 << 10;

    private final Writer out;
    private final InlineSyslogParser parser = new InlineSyslogParser(Clock.system(ZoneId.systemDefault()));
    private final ReceivedCount written = new ReceivedCount();

    private InlineSyslogSink(Writer out) {
        this.out = out;
    }

    static InlineSyslogSink open(Path file) throws IOException {
        return new InlineSyslogSink(
                new BufferedWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), BUFFER_CHARS));
    }

    @Override
    public void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        String text = StandardCharsets.UTF_8.decode(payload).toString();
        out.write(parser.parse(text, source).toString());
        out.write(LINE_FEED);
        written.add(1);
    }

    @Override
    public long written() {
        return written.get();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
