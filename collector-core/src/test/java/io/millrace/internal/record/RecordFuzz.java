package io.millrace.internal.record;

import io.millrace.collector.Network;
import io.millrace.fuzz.FuzzBytes;
import io.millrace.fuzz.FuzzTarget;
import io.millrace.journal.DatagramView;
import io.millrace.journal.GapReason;
import io.millrace.journal.UnknownVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The input is memory that may contain a batch, or datagrams that are written and read again. The first byte selects which.
 * It also selects the header fields to correct first, because random bytes have no valid checksum.
 */
public final class RecordFuzz extends FuzzTarget {
    private static final int MAGIC = 1;
    private static final int VERSION = 2;
    private static final int LENGTH = 4;
    private static final int CHECKSUM = 8;
    private static final int BEHIND_OTHERS = 16;
    private static final int WRITTEN = 32;
    private static final int EXTENDED = 64;
    private static final int SLAB = 4096;

    private final BatchView batch = new BatchView();
    private final DatagramView datagram = new DatagramView();

    /** Created by reflection. */
    public RecordFuzz() {
        super("record");
    }

    @Override
    protected int longest() {
        return 2048;
    }

    @Override
    protected void take(byte[] bytes) {
        FuzzBytes input = new FuzzBytes(bytes);
        int control = input.u8();
        if ((control & WRITTEN) != 0) {
            write(input);
            return;
        }
        byte[] content = input.rest();
        int offset = (control & BEHIND_OTHERS) != 0 ? 24 : 0;
        // The buffer ends where the input ends, so that reading beyond it throws.
        ByteBuffer memory = ByteBuffer.allocateDirect(offset + content.length).order(ByteOrder.LITTLE_ENDIAN);
        memory.put(offset, content);
        remediation(control, memory, offset, content.length);
        look(memory, offset, content.length);
    }

    private static void remediation(int control, ByteBuffer memory, int offset, int length) {
        if (length < BatchLayout.HEADER_BYTES) {
            return;
        }
        if ((control & MAGIC) != 0) {
            memory.putInt(offset + BatchLayout.MAGIC, BatchLayout.MAGIC_VALUE);
        }
        if ((control & VERSION) != 0) {
            memory.put(offset + BatchLayout.VERSION, (byte)
                    ((control & EXTENDED) != 0 ? BatchLayout.VERSION_EXTENDED : BatchLayout.VERSION_VALUE));
            memory.put(offset + BatchLayout.HEADER_LENGTH, (byte) BatchLayout.HEADER_BYTES);
        }
        if ((control & LENGTH) != 0) {
            memory.putInt(offset + BatchLayout.BODY_LENGTH, length - BatchLayout.HEADER_BYTES);
        }
        int body = memory.getInt(offset + BatchLayout.BODY_LENGTH);
        if ((control & CHECKSUM) != 0 && body >= 0 && body <= length - BatchLayout.HEADER_BYTES) {
            CRC32C crc = new CRC32C();
            crc.update(memory.slice(offset + BatchLayout.MAGIC, BatchLayout.HEADER_BYTES + body - BatchLayout.MAGIC));
            memory.putInt(offset + BatchLayout.CRC, (int) crc.getValue());
        }
    }

    private void look(ByteBuffer memory, int offset, int available) {
        byte[] before = contents(memory);
        BatchView.Health header = batch.wrap(memory, offset, available).checkHeader();
        BatchView.Health health = batch.check();
        that(header == BatchView.Health.OK || health != BatchView.Health.OK, header + ", then " + health);
        that(memory.position() == 0 && memory.limit() == memory.capacity(), "position and limit stay");
        that(Arrays.equals(before, contents(memory)), "memory stays");
        try {
            that(batch.isGood() == (health == BatchView.Health.OK), "good is " + health);
        } catch (UnknownVersionException e) {
            that(health == BatchView.Health.UNKNOWN_VERSION, "unknown version is " + health);
        }
        if (health != BatchView.Health.OK) {
            return;
        }
        that(batch.length() <= available, "length " + batch.length());
        that(batch.startSequence() >= 0 && batch.startSequence() <= batch.nextSequence(), "numbers go up");
        // A buffer with only the batch must give the same result.
        ByteBuffer alone = ByteBuffer.allocate(batch.length()).order(ByteOrder.LITTLE_ENDIAN);
        batch.copyTo(alone);
        List<String> here = read();
        that(batch.wrap(alone, 0, alone.capacity()).check() == BatchView.Health.OK, "a copy is good");
        that(here.equals(read()), "a copy says " + here);
    }

    private static byte[] contents(ByteBuffer memory) {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        return bytes;
    }

    /** Everything that a reader can read. */
    private List<String> read() {
        if (batch.isGap()) {
            that(batch.count() == 0 && batch.gapFirst() < batch.firstSequence(), "a gap of at least one");
            long count = batch.firstSequence() - batch.gapFirst();
            ByteBuffer again =
                    GapBatch.of(batch.shard(), batch.journalId(), batch.gapFirst(), count, batch.gapReason(), 0, 0);
            BatchView view = new BatchView().wrap(again, 0, again.capacity());
            that(view.check() == BatchView.Health.OK && view.startSequence() == batch.gapFirst(), "the same gap");
            return List.of(batch.gapFirst() + " " + batch.gapReason().words());
        }
        that(batch.count() >= 0, "count " + batch.count());
        List<String> read = new ArrayList<>();
        boolean more = batch.count() > 0;
        if (more) {
            batch.first(datagram);
        }
        while (more) {
            read.add(said(datagram));
            that(said(datagram.copy()).equals(read.get(read.size() - 1)), "a copy");
            more = datagram.next();
        }
        that(read.size() == batch.count(), read.size() + " of " + batch.count());
        return read;
    }

    private static String said(DatagramView view) {
        byte[] payload = new byte[view.payloadLength() + 1];
        view.copyPayload(payload, 1);
        byte[] head = new byte[7];
        int length = view.copyHead(head);
        for (int i = 0; i < length; i++) {
            that(head[i] == payload[1 + i] && view.payloadByte(i) == head[i], "payload");
        }
        that(Network.parse("::/0").contains(view) == (view.isIpv6() && !view.isLocal()), "family");
        return view.input() + " " + view.sourceAddress() + " " + view.sourcePort() + " " + view.sourceHigh() + " "
                + view.sourceLow() + " " + view.transport() + view.isIncomplete() + view.sourceText() + " " + view.pid()
                + " "
                + view.uid() + " " + view.gid() + " " + view.receiveTimeNs() + " " + view.isKernelTime()
                + view.isTruncated() + " "
                + view.originalLength() + " " + view.payloadText() + " " + Arrays.hashCode(payload);
    }

    private void write(FuzzBytes input) {
        FrameWriter writer = new FrameWriter(ByteBuffer.allocateDirect(SLAB));
        List<TestDatagram> written = new ArrayList<>();
        boolean refused = false;
        while (!input.isEmpty() && !refused) {
            int control = input.u8();
            byte[] address = Arrays.copyOf(input.take((control & 1) == 0 ? 4 : 16), (control & 1) == 0 ? 4 : 16);
            int scope = (control & 3) == 3 ? input.u16() : 0;
            TestDatagram next = TestDatagram.of(input.take((control & 4) == 0 ? input.u8() : input.u16()))
                    .from(address, scope, input.u16())
                    .truncated((control & 8) != 0)
                    .input(input.u8())
                    .at((control & 16) == 0 ? TestDatagram.TIME_NS + input.u16() : input.i64());
            int before = writer.length();
            refused = !next.appendTo(writer);
            that(!refused || writer.length() == before, "what is refused leaves nothing");
            if (!refused) {
                written.add(next);
            }
        }
        if (written.isEmpty()) {
            return;
        }
        writer.seal(3, 4, 5);
        batch.wrap(writer.buffer(), 0, writer.length());
        that(batch.check() == BatchView.Health.OK, "what was written is " + batch.check());
        that(batch.count() == written.size() && batch.firstSequence() == 5, "numbers");
        that(batch.shard() == 3 && batch.journalId() == 4, "journal and shard");
        batch.first(datagram);
        for (int i = 0; i < written.size(); i++) {
            written.get(i).assertIs(datagram);
            long time = datagram.receiveTimeNs();
            that(time >= batch.minTimeNs() && time <= batch.maxTimeNs(), "time");
            that(datagram.next() == (i + 1 < written.size()), "as many as were written");
        }
    }

    @Override
    protected List<byte[]> seeds() {
        ByteBuffer two = TestDatagram.batchOf(
                TestDatagram.of("one"),
                TestDatagram.of("two").from(new byte[16], 7, 99).truncated(true));
        ByteBuffer gap = GapBatch.of(1, 2, 3, 4, GapReason.LOST, 5, 6);
        ByteBuffer streams = ExtendedFrameTest.batch();
        int all = MAGIC | VERSION | LENGTH | CHECKSUM;
        return List.of(
                seed(0, two),
                seed(BEHIND_OTHERS, two),
                seed(all, two),
                seed(MAGIC | CHECKSUM, two),
                seed(all, streams),
                seed(all | EXTENDED, streams),
                seed(EXTENDED | BEHIND_OTHERS | CHECKSUM, streams),
                seed(all, gap),
                seed(BEHIND_OTHERS | CHECKSUM, gap),
                seed(all, two.slice(0, BatchLayout.HEADER_BYTES)),
                bytes(WRITTEN, 0, 10, 1, 2, 3, 2, 104, 105, 0, 99, 7),
                bytes(
                        WRITTEN, 31, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 9, 0, 1, 65, 2, 2, 3, 0,
                        0, 0, 0));
    }

    private static byte[] bytes(int... numbers) {
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) numbers[i];
        }
        return bytes;
    }

    private static byte[] seed(int control, ByteBuffer content) {
        byte[] seed = new byte[1 + content.limit()];
        seed[0] = (byte) control;
        content.get(0, seed, 1, content.limit());
        return seed;
    }
}
