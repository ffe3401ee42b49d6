package io.millrace.format;

import io.millrace.record.DatagramView;
import io.millrace.record.IpText;
import java.time.Instant;
import java.util.function.IntFunction;

/**
 * One JSON object a line (RFC 8259): {@code receive_time source_ip source_port input shard sequence message}, and {@code
 * truncated} where it is true. The message is the payload as text: bytes that are not UTF-8 become U+FFFD, so that the
 * line is always JSON; a trailing line feed or NUL is kept and escaped.
 */
public final class JsonFormat implements DatagramFormat {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final IntFunction<String> inputName;

    /**
     * Makes the format.
     *
     * @param inputName names an input by its id
     */
    public JsonFormat(IntFunction<String> inputName) {
        this.inputName = inputName;
    }

    @Override
    public void write(DatagramView datagram, int shard, long sequence, LineBuffer out) {
        long timeNs = datagram.receiveTimeNs();
        Instant time =
                Instant.ofEpochSecond(Math.floorDiv(timeNs, 1_000_000_000L), Math.floorMod(timeNs, 1_000_000_000L));
        out.ascii("{\"receive_time\":\"").ascii(time.toString());
        out.ascii("\",\"source_ip\":\"").ascii(IpText.of(datagram.sourceAddress()));
        out.ascii("\",\"source_port\":").number(datagram.sourcePort());
        out.ascii(",\"input\":");
        string(inputName.apply(datagram.input()), out);
        out.ascii(",\"shard\":").number(shard);
        out.ascii(",\"sequence\":").number(sequence);
        out.ascii(",\"message\":");
        string(datagram.payloadText(), out);
        if (datagram.isTruncated()) {
            out.ascii(",\"truncated\":true");
        }
        out.ascii("}\n");
    }

    private static void string(String text, LineBuffer out) {
        out.put('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.put('\\').put(c);
            } else if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
                // The C1 controls too: a terminal takes them for commands.
                out.ascii("\\u00").put(HEX[c >> 4]).put(HEX[c & 15]);
            } else if (c < 0x80) {
                out.put(c);
            } else {
                i += utf8(text, i, out);
            }
        }
        out.put('"');
    }

    /** Writes the code point at an index; returns how many further chars it took. */
    private static int utf8(String text, int index, LineBuffer out) {
        int code = text.codePointAt(index);
        if (code < 0x800) {
            out.put(0xc0 | (code >> 6));
        } else {
            if (code < 0x10000) {
                out.put(0xe0 | (code >> 12));
            } else {
                out.put(0xf0 | (code >> 18)).put(0x80 | ((code >> 12) & 0x3f));
            }
            out.put(0x80 | ((code >> 6) & 0x3f));
        }
        out.put(0x80 | (code & 0x3f));
        return Character.charCount(code) - 1;
    }
}
