package io.millrace.internal.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.journal.DatagramView;
import io.millrace.transport.StagedDatagram;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** A datagram of a test, to be written to a batch and compared with what is read. Immutable. */
public final class TestDatagram {
    /** The default receive time. */
    public static final long TIME_NS = 1_700_000_000_123_456_789L;

    /** The longest payload over IPv4. */
    public static final int MAX_PAYLOAD = 65_507;

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final byte[] payload;
    private final boolean truncated;
    private final byte[] address;
    private final int scopeId;
    private final int port;
    private final int input;
    private final long timeNs;

    private TestDatagram(
            byte[] payload, boolean truncated, byte[] address, int scopeId, int port, int input, long timeNs) {
        this.payload = payload;
        this.truncated = truncated;
        this.address = address;
        this.scopeId = scopeId;
        this.port = port;
        this.input = input;
        this.timeNs = timeNs;
    }

    public static TestDatagram of(byte[] payload) {
        return new TestDatagram(payload.clone(), false, new byte[] {127, 0, 0, 1}, 0, 514, 0, TIME_NS);
    }

    public static TestDatagram of(String text) {
        return of(text.getBytes(UTF_8));
    }

    /** A random datagram with the receive time {@link #TIME_NS}. */
    public static TestDatagram random(Random random, int maxPayload) {
        byte[] payload = new byte[random.nextInt(maxPayload + 1)];
        random.nextBytes(payload);
        byte[] address;
        int scopeId = 0;
        if (random.nextBoolean()) {
            address = new byte[4];
            random.nextBytes(address);
        } else {
            address = new byte[16];
            random.nextBytes(address);
            scopeId = random.nextBoolean() ? random.nextInt(Integer.MAX_VALUE) : 0;
            if (random.nextInt(4) == 0) {
                System.arraycopy(MAPPED_PREFIX, 0, address, 0, MAPPED_PREFIX.length);
            }
        }
        return of(payload)
                .truncated(random.nextInt(4) == 0)
                .from(address, scopeId, random.nextInt(65_536))
                .input(random.nextInt(256));
    }

    public TestDatagram truncated(boolean isTruncated) {
        return new TestDatagram(payload, isTruncated, address, scopeId, port, input, timeNs);
    }

    public TestDatagram from(byte[] networkOrder, int scope, int sourcePort) {
        return new TestDatagram(payload, truncated, networkOrder.clone(), scope, sourcePort, input, timeNs);
    }

    public TestDatagram input(int id) {
        return new TestDatagram(payload, truncated, address, scopeId, port, id, timeNs);
    }

    public TestDatagram at(long epochNs) {
        return new TestDatagram(payload, truncated, address, scopeId, port, input, epochNs);
    }

    public byte[] payload() {
        return payload.clone();
    }

    public long timeNs() {
        return timeNs;
    }

    /** The datagram as a transport receives it. */
    public StagedDatagram staged() {
        StagedDatagram staged = new StagedDatagram(payload.length);
        staged.payload().put(0, payload);
        staged.received(payload.length + (truncated ? 1 : 0));
        staged.source(address, scopeId, port);
        staged.receiveTimeNs(timeNs);
        return staged;
    }

    public boolean appendTo(FrameWriter batch) {
        return batch.append(staged(), input);
    }

    /** A sealed batch of these datagrams, in memory of exactly its size. */
    public static ByteBuffer batchOf(TestDatagram... datagrams) {
        int capacity = BatchView.headerBytes();
        for (TestDatagram datagram : datagrams) {
            capacity += FrameWriter.maxFrameLength(datagram.payload.length);
        }
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(capacity));
        for (TestDatagram datagram : datagrams) {
            assertThat(datagram.appendTo(batch)).isTrue();
        }
        batch.seal(0, 1, 0);
        return batch.buffer().limit(batch.length());
    }

    /** A view of this datagram in its own batch. */
    public DatagramView view() {
        ByteBuffer batch = batchOf(this);
        DatagramView view = new DatagramView();
        new BatchView().wrap(batch, 0, batch.limit()).first(view);
        return view;
    }

    /** Asserts that a view has all fields of this datagram. */
    public void assertIs(DatagramView view) {
        byte[] stored = new byte[view.payloadLength()];
        view.copyPayload(stored, 0);
        assertThat(stored).isEqualTo(payload);
        if (payload.length > 0) {
            assertThat(view.payloadByte(payload.length - 1)).isEqualTo(payload[payload.length - 1]);
        }
        byte[] head = new byte[16];
        assertThat(view.copyHead(head)).isEqualTo(Math.min(head.length, payload.length));
        assertThat(head).isEqualTo(Arrays.copyOf(payload, head.length));
        assertThat(view.isTruncated()).isEqualTo(truncated);
        assertThat(view.originalLength()).isEqualTo(truncated ? -1 : payload.length);
        assertThat(view.sourceAddress()).isEqualTo(expectedAddress());
        assertThat(addressOf(view.sourceHigh(), view.sourceLow())).isEqualTo(expectedAddress());
        assertThat(view.isIpv6()).isEqualTo(expectedAddress() instanceof Inet6Address);
        if (view.sourceAddress() instanceof Inet6Address found) {
            assertThat(found.getScopeId()).isEqualTo(scopeId);
        }
        assertThat(view.sourcePort()).isEqualTo(port);
        assertThat(view.input()).isEqualTo(input);
        assertThat(view.receiveTimeNs()).isEqualTo(timeNs);
        assertThat(view.isKernelTime()).isFalse();
        assertThat(view.payloadText()).isEqualTo(new String(payload, UTF_8));
    }

    private static InetAddress addressOf(long high, long low) {
        return address(ByteBuffer.allocate(16).putLong(high).putLong(low).array());
    }

    private InetAddress expectedAddress() {
        return address(address);
    }

    private static InetAddress address(byte[] networkOrder) {
        try {
            // The JDK converts IPv4-mapped addresses to IPv4 too.
            return InetAddress.getByAddress(networkOrder);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
