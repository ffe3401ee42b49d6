package io.millrace.sender;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code millrace send} that say what is sent and how, in the groups that the help shows. */
final class SendOptions {
    private SendOptions() {}

    /** What the datagrams hold. */
    static final class What {
        @Option(
                names = "--pattern",
                paramLabel = "KIND",
                converter = OptionValues.PatternConverter.class,
                description = "sequence (an identity and letters), fixed (constant bytes without an identity), rfc5424,"
                        + " rfc3164, cisco or mixed (syslog with the identity after its header). Default: sequence.")
        @Nullable
        Pattern pattern;

        @Option(
                names = "--seed",
                paramLabel = "N",
                converter = OptionValues.SeedConverter.class,
                description = "The seed of made-up messages and sizes; the same seed gives the same ones. Default: 1.")
        long seed = 1;

        @Option(
                names = "--size",
                paramLabel = "BYTES",
                converter = OptionValues.SizesConverter.class,
                description = "The length of each payload, at most 65507; or MIN-MAX for any length between them; or"
                        + " imix, for 125, 512 and 1400 bytes as 7:4:1. Default: 125; for the pattern mixed, the"
                        + " messages' own lengths.")
        @Nullable
        Sizes sizes;

        @Option(
                names = "--run",
                paramLabel = "ID",
                converter = OptionValues.RunIdConverter.class,
                description = "The run id in each payload, 1 to 8 hexadecimal digits. Default: a random one.")
        @Nullable
        Integer runId;

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "Sends the lines of this file instead, over and over; they have no identity.")
        @Nullable
        Path file;

        @Option(
                names = "--pcap",
                paramLabel = "FILE",
                description =
                        "Sends the UDP payloads of this capture (pcap or pcapng) instead, once, with their recorded"
                                + " times; --rate gives other times, and --count or --duration play it over and over.")
        @Nullable
        Path pcap;

        @Option(
                names = "--speed",
                paramLabel = "X",
                converter = OptionValues.SpeedConverter.class,
                description = "Plays a capture's recorded times X times as fast. Default: 1.")
        @Nullable
        Double speed;
    }

    /** How they leave. */
    static final class How {
        @Option(
                names = "--to",
                required = true,
                paramLabel = "HOST:PORT",
                converter = OptionValues.TargetConverter.class,
                description = "Where to send; an IPv6 address stands in brackets. Given several times, the sources are"
                        + " dealt to the targets: source i sends to target i modulo their number.")
        List<OptionValues.Target> targets = new ArrayList<>();

        @Option(
                names = "--sources",
                paramLabel = "N",
                converter = OptionValues.SourcesConverter.class,
                description = "How many sources, each a local address and port of its own, take turns; at most"
                        + " 1000000. Default: as many as threads.")
        @Nullable
        Integer sources;

        @Option(
                names = "--source-net",
                paramLabel = "NET/BITS",
                converter = OptionValues.SourceNetConverter.class,
                description = "Sources take the addresses of this IPv4 network in turn; all of them must be this"
                        + " host's, such as 127.0.0.0/8.")
        @Nullable
        SourceNet net;

        @Option(
                names = "--threads",
                paramLabel = "N",
                converter = OptionValues.ThreadsConverter.class,
                description = "How many threads share the schedule, each with sources of its own; the rate is that of"
                        + " all together. Default: 1.")
        int threads = 1;

        @Option(
                names = "--burst",
                paramLabel = "N",
                converter = OptionValues.BurstConverter.class,
                description = "So many datagrams share one due time; the mean rate stays. Default: 1.")
        int burst = 1;

        @Option(
                names = "--io",
                paramLabel = "MEANS",
                converter = OptionValues.IoConverter.class,
                description = "epoll (Netty's native sockets), nio (Java's channels, anywhere) or auto. Default: auto,"
                        + " epoll where there is one.")
        OptionValues.IoChoice io = new OptionValues.IoChoice(null);

        @Option(
                names = "--gso",
                paramLabel = "N",
                converter = OptionValues.GsoConverter.class,
                description =
                        "Hands the kernel GSO batches of N datagrams of one source in one call (UDP_SEGMENT; 2 to 64,"
                                + " with one fixed size and --io epoll). A GSO batch has one due time. Default: off.")
        int gso = 1;

        int sources() {
            return sources == null ? threads : sources;
        }
    }
}
