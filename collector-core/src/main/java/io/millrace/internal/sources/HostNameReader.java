package io.millrace.internal.sources;

import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.journal.DatagramView;
import io.millrace.message.SyslogMessage;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Reader of the host name in the header of a message. One thread. */
final class HostNameReader {
    private static final int HEAD_BYTES = 512;
    private static final int MAX_LENGTH = 128;

    private final byte[] head = new byte[HEAD_BYTES];
    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage message = new ParsedMessage();

    /** The host name according to the message, or its beginning; null if it has none. */
    @Nullable
    String read(DatagramView datagram) {
        int length = datagram.copyHead(head);
        var unused = parser.parse(head, 0, length, datagram.receiveTimeNs(), message);
        if (!message.has(SyslogMessage.Field.HOSTNAME)) {
            return null;
        }
        String name = message.text(SyslogMessage.Field.HOSTNAME);
        return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
    }
}
