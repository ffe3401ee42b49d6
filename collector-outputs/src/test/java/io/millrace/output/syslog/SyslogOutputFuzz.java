package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.internal.deliver.TestBatch;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.StructuredData;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.message.SyslogMessage;
import io.millrace.output.OutputFuzz;
import io.millrace.output.internal.forward.SyslogEncoder;
import io.millrace.output.syslog.SyslogSettings.Format;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.output.syslog.SyslogSettings.Transport;
import io.millrace.sink.SinkBatch;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Messages as they go over the wire: a receiver finds each frame, none is too long, and in RFC 5424 each can be read and has its source. */
public final class SyslogOutputFuzz extends OutputFuzz {
    private static final String ID = "millrace@32473";

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage parsed = new ParsedMessage();
    private final StructuredData data = new StructuredData();
    private final TestBatch batch = new TestBatch();

    /** Made by name. */
    public SyslogOutputFuzz() {
        super("syslog-output");
    }

    @Override
    protected void take(byte[] bytes) {
        int choice = choice(bytes);
        Transport transport = (choice & 1) == 0 ? Transport.TCP : Transport.UDP;
        Framing framing = (choice & 2) == 0 ? Framing.OCTET_COUNTING : Framing.LINE_FEED;
        Format format = (choice & 4) == 0 ? Format.RFC5424 : Format.RAW;
        int maxMessage = 480 + 17 * (choice >> 3);
        SyslogSettings settings = SyslogSettings.builder()
                .host("h")
                .port(514)
                .transport(transport)
                .format(format)
                .framing(framing)
                .keepSource(format == Format.RFC5424)
                .maxMessage(maxMessage)
                .build();
        SyslogEncoder encoder = new SyslogEncoder(settings.encoding());
        batch.clear();
        int taken = fill(batch, message(bytes), (record, out) -> {
            encoder.write(record, out);
            return null;
        });
        List<String> frames = transport == Transport.UDP ? datagrams() : frames(framing);
        that(frames.size() == taken, frames.size() + " frames of " + taken + " messages");
        for (String frame : frames) {
            that(frame.length() <= maxMessage, "a message of " + frame.length() + " bytes");
            if (format == Format.RFC5424) {
                check(frame);
            }
        }
    }

    private void check(String frame) {
        byte[] bytes = frame.getBytes(ISO_8859_1);
        parser.parse(bytes, 0, bytes.length, 0, parsed);
        that(parsed.version() == 1, frame);
        that(frame.indexOf('\n') < 0, frame);
        int sources = 0;
        data.wrap(parsed);
        while (data.nextElement()) {
            String id = frame.substring(data.nameBegin(), data.nameEnd());
            boolean first = data.nameBegin() == parsed.begin(SyslogMessage.Field.STRUCTURED_DATA) + 1;
            that(!first || id.equals(ID), frame);
            sources += id.equals(ID) ? 1 : 0;
        }
        that(sources == 1, frame);
    }

    private List<String> datagrams() {
        SinkBatch sent = batch.batch();
        List<String> datagrams = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            if (sent.isOpen(i)) {
                datagrams.add(new String(sent.array(), sent.begin(i), sent.end(i) - sent.begin(i), ISO_8859_1));
            }
        }
        return datagrams;
    }

    /** As a receiver of both framings cuts a stream: at line feeds, unless there is a digit first. */
    private List<String> frames(Framing framing) {
        String stream = new String(batch.batch().array(), 0, batch.batch().byteCount(), ISO_8859_1);
        List<String> frames = new ArrayList<>();
        for (int i = 0; i < stream.length(); ) {
            boolean counted = Character.isDigit(stream.charAt(i));
            that(counted == (framing == Framing.OCTET_COUNTING), "the framing at " + i + " of " + stream);
            int begin = counted ? stream.indexOf(' ', i) + 1 : i;
            int end = counted ? begin + Integer.parseInt(stream.substring(i, begin - 1)) : stream.indexOf('\n', i);
            that(end >= begin && end <= stream.length(), stream);
            frames.add(stream.substring(begin, end));
            i = counted ? end : end + 1;
        }
        return frames;
    }
}
