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

/** Sink that parses each datagram as syslog and writes {@code timestamp host tag priority message}, as text. */
final class SyslogTextSink extends LineSink {
    private static final int BUFFER_CHARS = 256 << 10;

    private final Writer out;
    private final RegexSyslogParser parser = new RegexSyslogParser(Clock.system(ZoneId.systemDefault()));

    private SyslogTextSink(Writer out) {
        this.out = out;
    }

    static SyslogTextSink open(Path file) throws IOException {
        return new SyslogTextSink(
                new BufferedWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), BUFFER_CHARS));
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        String text = StandardCharsets.UTF_8.decode(payload).toString();
        out.write(parser.parse(text, source).toString());
        out.write(LINE_FEED);
        countLine();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
