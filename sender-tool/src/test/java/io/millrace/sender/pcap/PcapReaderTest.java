package io.millrace.sender.pcap;

import static io.millrace.sender.pcap.CaptureBuilder.hex;
import static io.millrace.sender.pcap.CaptureBuilder.ipv4;
import static io.millrace.sender.pcap.CaptureBuilder.ipv6;
import static io.millrace.sender.pcap.CaptureBuilder.join;
import static io.millrace.sender.pcap.CaptureBuilder.udp;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapReaderTest {
    private static final int MICROS = 0xa1b2c3d4;
    private static final int NANOS = 0xa1b23c4d;
    private static final byte[] PACKET = ipv4(17, 0x4000, udp("hello"));

    private static PcapReader open(byte[] capture) throws IOException {
        return PcapReader.open(new ByteArrayInputStream(capture), "it.pcap");
    }

    private static List<String> payloads(byte[] capture) throws IOException {
        List<String> payloads = new ArrayList<>();
        try (PcapReader reader = open(capture)) {
            while (reader.next()) {
                byte[] bytes = new byte[reader.payloadLength()];
                reader.copyPayload(bytes, 0);
                payloads.add(new String(bytes, US_ASCII));
                int from = (int) reader.payloadPosition();
                assertThat(Arrays.copyOfRange(capture, from, from + bytes.length))
                        .isEqualTo(bytes);
            }
        }
        return payloads;
    }

    private static byte[] pcap(int linkType, byte[]... packets) {
        CaptureBuilder builder = new CaptureBuilder(LITTLE_ENDIAN).pcap(MICROS, linkType);
        for (byte[] packet : packets) {
            builder.record(1, 2, packet, packet.length);
        }
        return builder.bytes();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsPcapInBothByteOrdersAndResolutions(boolean big) throws IOException {
        ByteOrder order = big ? BIG_ENDIAN : LITTLE_ENDIAN;
        for (int magic : new int[] {MICROS, NANOS}) {
            byte[] capture = new CaptureBuilder(order)
                    .pcap(magic, 101)
                    .record(3_000_000_000L, 123_456, PACKET, PACKET.length)
                    .bytes();
            try (PcapReader reader = open(capture)) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.timestampNanos())
                        .isEqualTo(3_000_000_000_000_000_000L + (magic == NANOS ? 123_456 : 123_456_000));
                assertThat(reader.next()).isFalse();
                assertThat(reader.next()).isFalse();
            }
            assertThat(payloads(capture)).containsExactly("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 000102030405 060708090a0b 0800, ''",
        "1, 000102030405 060708090a0b 8100 0005 0800, ''",
        "1, 000102030405 060708090a0b 88a8 0005 8100 0006 0800, 0000",
        "113, 0000 0001 0006 0001020304050000 0800, ''",
        "276, 0800 0000 00000002 0001 00 06 0001020304050000, ''",
        "0, 02000000, ''",
        "0, 00000002, ''",
        "108, 00000002, ''",
        "101, '', ''",
        "12, '', ''",
        "14, '', ''",
        "228, '', ''",
    })
    void findsIpv4InEachLinkType(int linkType, String before, String after) throws IOException {
        byte[] packet = join(join(hex(before), PACKET), hex(after));
        assertThat(payloads(pcap(linkType, packet, packet))).containsExactly("hello", "hello");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 000102030405 060708090a0b 86dd",
        "1, 000102030405 060708090a0b 8100 0005 86dd",
        "113, 0000 0001 0006 0001020304050000 86dd",
        "276, 86dd 0000 00000002 0001 00 06 0001020304050000",
        "0, 1c000000",
        "0, 0000000a",
        "108, 0000001e",
        "229, ''",
        "101, ''",
    })
    void findsIpv6InEachLinkType(int linkType, String before) throws IOException {
        byte[] capture = pcap(linkType, join(hex(before), ipv6(17, udp("six"))));
        assertThat(payloads(capture)).containsExactly("six");
    }

    @Test
    void skipsIpv6ExtensionHeaders() throws IOException {
        byte[] options =
                join(hex("2b00 0104 00000000"), join(hex("3c00 0000 00000000"), hex("1101" + "00".repeat(14))));
        byte[] whole = join(hex("1100 0000 00000001"), udp("whole"));
        byte[] authenticated = join(hex("1101 0000 00000000 00000000"), udp("ah"));
        assertThat(payloads(pcap(101, ipv6(0, join(options, udp("deep"))), ipv6(44, whole), ipv6(51, authenticated))))
                .containsExactly("deep", "whole", "ah");
    }

    @Test
    void countsSkippedPackets() throws IOException {
        byte[] short1 = Arrays.copyOf(PACKET, PACKET.length - 1);
        byte[] capture = new CaptureBuilder(BIG_ENDIAN)
                .pcap(MICROS, 101)
                .record(1, 0, PACKET, PACKET.length)
                .record(1, 0, ipv4(6, 0, udp("tcp")), 99)
                .record(1, 0, ipv4(17, 0x2000, udp("more to come")), 99)
                .record(1, 0, ipv4(17, 0x0010, udp("not the first")), 99)
                .record(1, 0, ipv6(44, join(hex("1100 0001 00000001"), udp("first of more"))), 99)
                .record(1, 0, short1, PACKET.length)
                .record(1, 0, Arrays.copyOf(PACKET, 12), PACKET.length)
                .record(1, 0, hex("ffff"), 2)
                .record(1, 0, new byte[0], 0)
                .record(1, 0, ipv4(17, 0, hex("0001 0002 0007 0000")), 32)
                .bytes();
        try (PcapReader reader = open(capture)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isFalse();
            assertThat(reader.fragments()).isEqualTo(3);
            assertThat(reader.truncated()).isEqualTo(2);
            assertThat(reader.notUdp()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsPcapngInBothByteOrders(boolean big) throws IOException {
        byte[] ether = join(hex("000102030405 060708090a0b 0800"), PACKET);
        byte[] capture = new CaptureBuilder(big ? BIG_ENDIAN : LITTLE_ENDIAN)
                .section()
                .networkInterface(1, 0, -1)
                .networkInterface(101, 65_535, 9)
                .block(5, new byte[13])
                .enhanced(0, 1_700_000_000_000_001L, ether)
                .enhanced(1, 1_700_000_000_000_002_003L, PACKET)
                .simple(ether, ether.length)
                .section()
                .networkInterface(101, 0, 0x80 | 10)
                .enhanced(0, 5 << 10 | 512, PACKET)
                .bytes();
        List<Long> times = new ArrayList<>();
        try (PcapReader reader = open(capture)) {
            while (reader.next()) {
                times.add(reader.timestampNanos());
            }
        }
        assertThat(times)
                .containsExactly(
                        1_700_000_000_000_001_000L,
                        1_700_000_000_000_002_003L,
                        1_700_000_000_000_002_003L,
                        5_500_000_000L);
        assertThat(payloads(capture)).containsExactly("hello", "hello", "hello", "hello");
    }

    @Test
    void simplePacketHasTheSnapLengthOfTheInterface() throws IOException {
        byte[] capture = new CaptureBuilder(LITTLE_ENDIAN)
                .section()
                .networkInterface(101, PACKET.length, -1)
                .simple(PACKET, 5000)
                .bytes();
        assertThat(payloads(capture)).containsExactly("hello");
    }

    @ParameterizedTest
    @CsvSource({"6, 1000", "9, 1", "0, 1000000000", "3, 1000000"})
    void decimalResolutions(int power, long factor) {
        assertThat(PcapngFormat.Resolution.of((byte) power).nanos(7)).isEqualTo(7 * factor);
    }

    @Test
    void fineAndBinaryResolutions() {
        assertThat(PcapngFormat.Resolution.of((byte) 12).nanos(7_999)).isEqualTo(7);
        assertThat(PcapngFormat.Resolution.of((byte) 0x80).nanos(7)).isEqualTo(7_000_000_000L);
        assertThat(PcapngFormat.Resolution.of((byte) (0x80 | 40)).nanos(3L << 39))
                .isEqualTo(1_500_000_000L);
    }

    @Test
    void reportsTheOffsetOfDamage() {
        byte[] good = pcap(101, PACKET, PACKET);
        assertThatThrownBy(() -> payloads(Arrays.copyOf(good, good.length - 1)))
                .isInstanceOf(PcapException.class)
                .hasMessage("it.pcap: at byte " + (good.length - PACKET.length) + ": the file ends within a packet: "
                        + (PACKET.length - 1) + " of " + PACKET.length + " bytes");
        byte[] huge = good.clone();
        huge[24 + 11] = 1;
        assertThatThrownBy(() -> payloads(huge)).hasMessageContaining("it.pcap: at byte 24: a packet with");
        assertThatThrownBy(() -> payloads(new byte[0]))
                .hasMessageContaining("at byte 0: the file ends where a capture");
        assertThatThrownBy(() -> payloads("no capture".getBytes(US_ASCII)))
                .hasMessage("it.pcap: at byte 0: this is neither pcap nor pcapng: it begins with 6e6f2063");
        assertThatThrownBy(() -> payloads(pcap(105, PACKET)))
                .hasMessageContaining("at byte 20: unsupported link type 105; supported are Ethernet");
        byte[] noInterface =
                new CaptureBuilder(BIG_ENDIAN).section().enhanced(0, 1, PACKET).bytes();
        assertThatThrownBy(() -> payloads(noInterface))
                .hasMessageContaining("at byte 32: a packet of interface 0, and the section has 0 interfaces");
    }

    /** Any file is read or reported as damaged; the reader throws nothing else and always ends. */
    @Test
    void garbageIsReadOrRejected() throws IOException {
        long seed = System.nanoTime();
        System.out.println("PcapReaderTest seed " + seed);
        Random random = new Random(seed);
        byte[] ether = join(hex("000102030405 060708090a0b 8100 0001 0800"), PACKET);
        List<byte[]> samples = List.of(
                pcap(1, ether, ether, ether),
                pcap(113, ether, ether),
                pcap(276, ether, ether),
                pcap(0, join(hex("02000000"), PACKET)),
                pcap(101, ipv6(0, join(hex("1100 0000 00000000"), udp("x"))), ipv6(44, PACKET)),
                new CaptureBuilder(BIG_ENDIAN)
                        .section()
                        .networkInterface(1, 100, 9)
                        .networkInterface(101, 0, 0x85)
                        .enhanced(0, 1L << 50, ether)
                        .enhanced(1, 1L << 50, PACKET)
                        .simple(ether, 500)
                        .bytes());
        int read = 0;
        int refused = 0;
        for (int i = 0; i < 60_000; i++) {
            byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
            for (int change = random.nextInt(6); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? random.nextInt() : 0xff);
            }
            byte[] cut = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
            try {
                var unused = payloads(cut);
                read++;
            } catch (PcapException e) {
                assertThat(e).as("seed %d", seed).hasMessageStartingWith("it.pcap: at byte ");
                refused++;
            }
        }
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }
}
