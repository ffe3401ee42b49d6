package io.millrace.internal.transport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.fuzz.FuzzBytes;
import io.millrace.fuzz.FuzzTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The first byte is the length of a read. The rest is the beginning of a connection. */
public final class ProxyFuzz extends FuzzTarget {
    private static final int LONGEST = 700;
    /** The PROXY protocol, section 2.1. */
    private static final int V1_MAX_BYTES = 107;

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    /** Created by reflection. */
    public ProxyFuzz() {
        super("proxy");
    }

    /** What a connection says, and the bytes after its header. */
    private static final class Connection implements ProxyHeader.Listener {
        private final List<String> events = new ArrayList<>();
        private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

        @Override
        public void proxied(InetAddress client, int port) {
            events.add(client.getHostAddress() + " " + port);
        }

        @Override
        public void endedBeforeHeader() {
            // The end of a test.
        }

        @Override
        public void ownConnection() {
            events.add("own");
        }

        @Override
        public void badProxyHeader(String reason) {
            events.add("bad");
        }

        boolean isBad() {
            return events.contains("bad");
        }
    }

    @Override
    protected int longest() {
        return LONGEST;
    }

    @Override
    protected void take(byte[] bytes) {
        FuzzBytes input = new FuzzBytes(bytes);
        int piece = 1 + input.u8();
        byte[] stream = input.rest();
        Connection whole = read(stream, Math.max(1, stream.length));
        Connection pieces = read(stream, piece);
        that(whole.events.size() <= 1, "several decisions: " + whole.events);
        boolean same = whole.events.equals(pieces.events);
        that(same || isTooLong(stream), whole.events + " in one read, " + pieces.events + " in several");
        if (whole.isBad() || !same) {
            return;
        }
        byte[] rest = whole.rest.toByteArray();
        that(Arrays.equals(rest, pieces.rest.toByteArray()), "the bytes after the header depend on the reads");
        that(
                Arrays.equals(rest, Arrays.copyOfRange(stream, stream.length - rest.length, stream.length)),
                "the bytes after the header are not those of the stream");
        that(rest.length == 0 || whole.events.size() == 1, "bytes are passed on without a header");
    }

    /** True for a header of version 1 above its maximum. Netty takes one that is a little longer, but only if it is in one read. */
    private static boolean isTooLong(byte[] stream) {
        int lineFeed = new String(stream, ISO_8859_1).indexOf("\r\n");
        return stream[0] == 'P' && lineFeed + 2 > V1_MAX_BYTES;
    }

    /** Reads a connection, which ends at a bad header. */
    private static Connection read(byte[] stream, int piece) {
        Connection connection = new Connection();
        EmbeddedChannel channel = new EmbeddedChannel();
        ProxyHeader.addTo(channel.pipeline(), connection);
        for (int at = 0; at < stream.length && !connection.isBad(); at += piece) {
            channel.writeInbound(Unpooled.copiedBuffer(stream, at, Math.min(piece, stream.length - at)));
            for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
                ByteBuf passed = (ByteBuf) read;
                byte[] bytes = new byte[passed.readableBytes()];
                passed.readBytes(bytes);
                passed.release();
                connection.rest.writeBytes(bytes);
            }
        }
        channel.finishAndReleaseAll();
        return connection;
    }

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                seed(3, "PROXY TCP4 192.0.2.1 198.51.100.2 40000 514\r\n<13>hello\n".getBytes(ISO_8859_1)),
                seed(200, "PROXY TCP6 2001:db8::1 2001:db8::2 1 65535\r\n".getBytes(ISO_8859_1)),
                seed(0, "PROXY UNKNOWN\r\nrest".getBytes(ISO_8859_1)),
                seed(20, "PROXY TCP4 1.2.3.4 1.2.3.4 0 0\n".getBytes(ISO_8859_1)),
                seed(5, "<13>no header\n".getBytes(ISO_8859_1)),
                seed(9, HexFormat.of().parseHex(SIGNATURE + "2111000cc0000201c63364029c400202" + "3c31333e")),
                seed(1, HexFormat.of().parseHex(SIGNATURE + "20000000" + "3c31333e")),
                seed(7, HexFormat.of().parseHex(SIGNATURE + "21110013c0000201c63364029c4002020300041234567801000161")));
    }

    private static byte[] seed(int piece, byte[] stream) {
        byte[] seed = new byte[1 + stream.length];
        seed[0] = (byte) piece;
        System.arraycopy(stream, 0, seed, 1, stream.length);
        return seed;
    }
}
