package io.millrace.sender.transmit;

import io.millrace.sender.schedule.SourceLayout;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Chooses and opens the transmitter of a run.
 *
 * @param mode how the sources are represented
 * @param api the API of the sockets
 * @param program the helper program; null unless the mode is {@link Mode#HELPER}
 * @param note a remark for the user; empty for none
 * @param streams where connections go; null unless the mode is {@link Mode#CONNECTIONS}
 */
public record TransmitterFactory(
        Mode mode,
        SocketApi api,
        @Nullable Path program,
        String note,
        @Nullable Streams streams) {
    /**
     * Where connections go.
     *
     * @param targets source i connects to target i modulo their number
     * @param messages how messages are told apart
     */
    public record Streams(List<SocketAddress> targets, Messages messages) {}

    /** How messages are told apart that go to connected sockets (RFC 6587). */
    public enum Messages {
        /** Each ends at a line feed. */
        LINES,
        /** Each has an octet count. */
        COUNTED,
        /** Each is a datagram. */
        DATAGRAMS
    }

    /** How the sources are represented. */
    public enum Mode {
        /** A socket per source. */
        SOCKETS,
        /** The program {@code millrace-sources} sends for all sources. */
        HELPER,
        /** A socket per source, opened for one group of sources after the other. */
        GROUPS,
        /** A connection per source. */
        CONNECTIONS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Chooses the mode.
     *
     * @param requested the API from the command line
     * @param program the helper program; null if it was not built
     */
    public static TransmitterFactory choose(Endpoints endpoints, SocketApi requested, @Nullable Path program) {
        SocketApi api = requested.resolve();
        if (endpoints.sources() <= SourceLayout.MAX_OPEN) {
            return new TransmitterFactory(Mode.SOCKETS, api, null, "", null);
        }
        String why;
        if (requested != SocketApi.AUTO) {
            why = "--io " + api + " was given";
        } else if (!endpoints.targets().stream().allMatch(TransmitterFactory::isLoopback)) {
            why = "the helper millrace-sources sends to IPv4 loopback addresses only";
        } else if (endpoints.targets().size() > HelperTransmitter.MAX_TARGETS) {
            why = "the helper millrace-sources supports up to " + HelperTransmitter.MAX_TARGETS + " targets";
        } else if (program == null) {
            why = "the helper millrace-sources was not built, which needs a C compiler";
        } else {
            checkAddresses(endpoints);
            return new TransmitterFactory(Mode.HELPER, api, program, "", null);
        }
        String note = Text.format(
                "%,d sources send in groups of %,d sockets, which lowers the rate: %s",
                endpoints.sources(), SourceLayout.MAX_OPEN, why);
        return new TransmitterFactory(Mode.GROUPS, api, null, note, null);
    }

    /**
     * A connection or connected socket per source, to TCP ports or Unix sockets.
     *
     * @param requested the API from the command line: there is no choice here
     */
    public static TransmitterFactory ofStreams(Endpoints endpoints, SocketApi requested, Streams streams) {
        if (requested != SocketApi.AUTO) {
            throw new IllegalArgumentException("--io is for UDP: omit it with tcp://, unix:// and unixgram://");
        }
        if (endpoints.sources() > SourceLayout.MAX_OPEN) {
            throw new IllegalArgumentException(Text.format(
                    "--sources accepts up to %,d with connections, not %,d",
                    SourceLayout.MAX_OPEN, endpoints.sources()));
        }
        SocketApi api = streams.messages() == Messages.DATAGRAMS ? SocketApi.EPOLL : SocketApi.NIO;
        return new TransmitterFactory(Mode.CONNECTIONS, api, null, "", streams);
    }

    /** The helper has few ports, so each source needs its own address. */
    private static void checkAddresses(Endpoints endpoints) {
        SourceNetwork network = endpoints.network();
        if (network != null && endpoints.sources() > network.addresses()) {
            throw new IllegalArgumentException(Text.format(
                    "--source-net has %,d addresses, too few for %,d sources: use a larger network, such as 127.0.0.0/8",
                    network.addresses(), endpoints.sources()));
        }
    }

    private static boolean isLoopback(InetSocketAddress target) {
        return target.getAddress() instanceof Inet4Address address && address.isLoopbackAddress();
    }

    /** The number of sources that send round robin. */
    public int group(int sources) {
        return mode == Mode.GROUPS ? SourceLayout.MAX_OPEN : sources;
    }

    public String apiName() {
        return (mode == Mode.HELPER ? mode : api).toString();
    }

    /**
     * Opens the transmitter.
     *
     * @param segment the length of each message of a batch; 0 without batches
     */
    public Transmitter open(Endpoints endpoints, int segment) throws IOException {
        api.check();
        return switch (mode) {
            case SOCKETS -> api.open(endpoints, 0, endpoints.sources(), segment);
            case CONNECTIONS -> {
                if (streams == null) {
                    throw new IllegalStateException("no targets");
                }
                yield streams.messages() == Messages.DATAGRAMS
                        ? LocalDatagramTransmitter.open(endpoints.sources(), streams.targets())
                        : StreamTransmitter.open(
                                endpoints, streams.targets(), streams.messages() == Messages.COUNTED, segment);
            }
            case GROUPS -> new GroupedTransmitter(api, endpoints, SourceLayout.MAX_OPEN);
            case HELPER -> {
                if (program == null) {
                    throw new IllegalStateException("no program");
                }
                yield HelperTransmitter.start(program, endpoints, HelperTransmitter.PROGRAMS);
            }
        };
    }

    /** Opens a transmitter for the warm-up, which sends nothing to the targets. */
    public Transmitter openForWarmUp(int sources) throws IOException {
        return mode == Mode.HELPER ? HelperTransmitter.toDevNull() : api.openForWarmUp(sources);
    }
}
