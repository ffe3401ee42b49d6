package io.millrace.sender;

import io.millrace.fuzz.FuzzTarget;
import io.millrace.sender.pcap.CaptureBuilder;
import io.millrace.sender.pcap.PcapException;
import io.millrace.sender.pcap.PcapReader;
import io.millrace.sender.schedule.RecordedSchedule;
import io.millrace.sender.schedule.Schedule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fuzz target of the capture reader: payloads are bytes of the file, and an error names an offset in it. */
public final class PcapFuzz extends FuzzTarget {
    /** The shortest header of a packet in a capture. */
    private static final int MIN_PACKET = 12;

    private static final Pattern PLACE = Pattern.compile("c: at byte (\\d+): .*");

    /** Made by name. */
    public PcapFuzz() {
        super("pcap");
    }

    @Override
    protected int longest() {
        return 2048;
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        List<Long> times = new ArrayList<>();
        try (PcapReader reader = PcapReader.open(new ByteArrayInputStream(bytes), "c")) {
            long end = 0;
            while (reader.next()) {
                end = look(reader, bytes, end);
                times.add(reader.timestampNanos());
            }
            long packets = times.size() + reader.notUdp() + reader.fragments() + reader.truncated();
            that(packets <= bytes.length / MIN_PACKET, packets + " packets in " + bytes.length + " bytes");
            that(!reader.next(), "after the end there is nothing");
        } catch (PcapException e) {
            Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
            that(place.matches() && Long.parseLong(place.group(1)) <= bytes.length, String.valueOf(e.getMessage()));
        }
        if (!times.isEmpty()) {
            replay(times.stream().mapToLong(it -> it).toArray());
        }
    }

    private static long look(PcapReader reader, byte[] bytes, long before) {
        long position = reader.payloadPosition();
        int length = reader.payloadLength();
        that(length >= 0 && position >= before && position + length <= bytes.length, position + " + " + length);
        byte[] payload = new byte[length];
        reader.copyPayload(payload, 0);
        that(Arrays.equals(payload, 0, length, bytes, (int) position, (int) position + length), "payload");
        return position + length;
    }

    /** Due times never decrease, whatever times the capture has. */
    private static void replay(long[] times) {
        int rounds = 2 * times.length;
        Schedule schedule = new RecordedSchedule(times, 1);
        for (int n = 0; n < rounds; n++) {
            long due = schedule.dueNanos(n);
            that(due >= 0 && schedule.dueNanos(n + 1) >= due, "due at " + due + ", then " + schedule.dueNanos(n + 1));
        }
        that(schedule.dueWithin(1_000_000_000).signum() >= 0, "due within a second");
    }

    @Override
    protected List<byte[]> seeds() {
        byte[] udp4 = CaptureBuilder.ipv4(17, 0, CaptureBuilder.udp("hello"));
        byte[] udp6 = CaptureBuilder.ipv6(17, CaptureBuilder.udp("six"));
        byte[] options6 = CaptureBuilder.ipv6(
                0, CaptureBuilder.join(new byte[] {17, 0, 1, 4, 0, 0, 0, 0}, CaptureBuilder.udp("o")));
        byte[] fragment6 = CaptureBuilder.ipv6(
                44, CaptureBuilder.join(new byte[] {17, 0, 0, 0, 0, 0, 0, 1}, CaptureBuilder.udp("f")));
        byte[] ethernet = CaptureBuilder.join(CaptureBuilder.hex("0102030405060708090a0b0c 8100 0007 0800"), udp4);
        List<byte[]> seeds = new ArrayList<>();
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            seeds.add(new CaptureBuilder(order)
                    .pcap(0xa1b2c3d4, 1)
                    .record(1_700_000_000, 5, ethernet, ethernet.length)
                    .record(1_600_000_000, 7, ethernet, 9000)
                    .bytes());
            seeds.add(new CaptureBuilder(order)
                    .pcap(0xa1b23c4d, 101)
                    .record(1, 999, udp4, udp4.length)
                    .record(2, 0, udp6, udp6.length)
                    .record(3, 0, options6, options6.length)
                    .record(4, 0, fragment6, fragment6.length)
                    .record(5, 0, CaptureBuilder.ipv4(17, 0x2000, CaptureBuilder.udp("f")), 100)
                    .record(6, 0, CaptureBuilder.ipv4(6, 0, CaptureBuilder.udp("tcp")), 100)
                    .bytes());
            for (int resolution : new int[] {-1, 3, 9, 0x8a, 63}) {
                seeds.add(new CaptureBuilder(order)
                        .section()
                        .networkInterface(101, 0, resolution)
                        .enhanced(0, 1_700_000_000_000L, udp4)
                        .enhanced(0, 1_700_000_000_900L, udp6)
                        .simple(udp4, udp4.length)
                        .block(0x0bad, new byte[8])
                        .bytes());
            }
        }
        return seeds;
    }
}
