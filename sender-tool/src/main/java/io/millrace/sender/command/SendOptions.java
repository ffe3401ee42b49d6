package io.millrace.sender.command;

import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.transmit.SocketApi;
import io.millrace.sender.transmit.SourceNetwork;
import io.millrace.sender.value.Quantity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options of {@code millrace send} in the groups that the help shows. */
final class SendOptions {
    private SendOptions() {}

    /** What the datagrams contain. */
    static final class Payload {
        @Option(
                names = "--pattern",
                paramLabel = "KIND",
                description =
                        "sequence (an identity and letters), fixed (byte values in order from 0, without an identity; byte"
                                + " 10 is a line feed, which splits it with --framing newline), rfc5424,"
                                + " rfc3164, cisco or mixed (syslog with the identity after its header). Default: sequence.")
        @Nullable
        PayloadPattern pattern;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description =
                        "The seed of generated messages and sizes; the same seed gives the same ones. Default: 1.")
        long seed = 1;

        @Option(
                names = "--size",
                paramLabel = "BYTES",
                description = "The length of the payloads, up to 65507; or MIN-MAX for any length between them; or"
                        + " imix, for 125, 512 and 1400 bytes as 7:4:1. Default: 125; for the pattern mixed, the"
                        + " messages' own lengths.")
        @Nullable
        PayloadSizes sizes;

        @Option(
                names = "--run",
                paramLabel = "ID",
                converter = RunIdConverter.class,
                description = "The run id in the payloads, 1 to 8 hexadecimal digits. Default: a random one.")
        @Nullable
        Integer runId;

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "Send the lines of this file instead, repeatedly; they have no identity.")
        @Nullable
        Path file;

        @Option(
                names = "--pcap",
                paramLabel = "FILE",
                description =
                        "Send the UDP payloads of this capture (pcap or pcapng) instead, once, with their recorded"
                                + " times; --rate gives other times, and --count or --duration repeats it.")
        @Nullable
        Path pcap;

        @Option(
                names = "--replay",
                paramLabel = "DIR",
                description =
                        "Send the messages of the journal in this data directory instead, once, with the times at which it"
                                + " received them and from as many sources. The collector may be running.")
        @Nullable
        Path replay;

        @Option(
                names = "--speed",
                paramLabel = "X",
                description =
                        "Replay a capture or a journal X times as fast as recorded, from 0.001 to 1000. Default: 1.")
        @Nullable
        Double speed;
    }

    /** How the datagrams are sent. */
    static final class Transport {
        @Option(
                names = "--to",
                required = true,
                paramLabel = "HOST:PORT",
                description =
                        "The target; an IPv6 address is in brackets. tcp://HOST:PORT and unix:///PATH connect,"
                                + " with a connection per source; unixgram:///PATH is a Unix datagram socket such as /dev/log. May be repeated: source i sends to target i modulo their number.")
        List<Target> targets = new ArrayList<>();

        @Option(
                names = "--framing",
                paramLabel = "KIND",
                description = "How messages on a connection are told apart: newline or octet-counting (RFC 6587)."
                        + " An input with framing auto accepts a count only before '<', with which the pattern rfc5424"
                        + " and other syslog messages begin. Default: newline.")
        @Nullable
        StreamFraming framing;

        @Option(
                names = "--sources",
                paramLabel = "N",
                description = "The number of sources, up to 1000000. They send round robin, each from its own local"
                        + " address and port. Default: as many as threads; with --pcap and --replay as many as were recorded, each"
                        + " with its own messages.")
        @Nullable
        Integer sources;

        @Option(
                names = "--source-net",
                paramLabel = "NET/BITS",
                description = "Sources use the addresses of this IPv4 network round robin; it must belong to this"
                        + " host, such as 127.0.0.0/8.")
        @Nullable
        SourceNetwork network;

        @Option(
                names = "--threads",
                paramLabel = "N",
                description = "The number of threads, up to 64. They share the schedule, each with its own sources; the"
                        + " rate is that of all threads together. Default: 1.")
        int threads = 1;

        @Option(
                names = "--burst",
                paramLabel = "N",
                description = "N datagrams have the same due time; the mean rate stays the same. Default: 1.")
        int burst = 1;

        @Option(
                names = "--io",
                paramLabel = "API",
                description = "For UDP: epoll (Netty's native sockets), nio (Java's channels, on any platform) or auto."
                        + " Default: auto, which is epoll where it is available.")
        SocketApi api = SocketApi.AUTO;

        @Option(
                names = "--batch",
                paramLabel = "N",
                description = "Give the kernel N messages of one source in one system call: a GSO batch of UDP"
                        + " (UDP_SEGMENT; needs --io epoll), or one write on a connection. 2 to 64, of one fixed size. A"
                        + " batch has one due time. Default: 1, off. --gso is the same.")
        int batch = 1;

        @Option(names = "--gso", paramLabel = "N", hidden = true, description = "The earlier name of --batch.")
        void gso(int messages) {
            batch = messages;
        }

        int sources() {
            return sources == null ? threads : sources;
        }
    }

    /** How messages on a connection are told apart. */
    enum StreamFraming {
        NEWLINE,
        OCTET_COUNTING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    static final class CountConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return Quantity.count(text);
        }
    }

    /** Run ids as unsigned hexadecimal numbers. */
    static final class RunIdConverter implements ITypeConverter<Integer> {
        private static final Pattern RUN_ID = Pattern.compile("[0-9a-f]{1,8}");

        @Override
        public Integer convert(String text) {
            if (!RUN_ID.matcher(text).matches()) {
                throw Quantity.invalid(text, "accepts 1 to 8 lower-case hexadecimal digits, such as 2a or 1f0c93ab");
            }
            return Integer.parseUnsignedInt(text, 16);
        }
    }
}
