package io.millrace.sender;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a run's datagrams get to the kernel: by sockets that are all open, and where there are too many sources for that,
 * by a helper program or by sockets in turns.
 *
 * @param by which of the three
 * @param io by which means sockets send
 * @param program the helper; null unless it is used
 * @param note what is to be said about it; empty for nothing
 */
record Means(By by, Io io, @Nullable Path program, String note) {
    /** How sources are had. */
    enum By {
        SOCKETS("sockets"),
        HELPER("helper"),
        TURNS("turns");

        private final String text;

        By(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * Chooses.
     *
     * @param given the means that were asked for; null to choose the best ones
     * @param program the helper; null where there is none
     */
    static Means choose(Endpoints endpoints, @Nullable Io given, @Nullable Path program) {
        Io io = given == null ? Io.best() : given;
        if (endpoints.sources() <= Layout.MAX_OPEN) {
            return new Means(By.SOCKETS, io, null, "");
        }
        String why;
        if (given != null) {
            why = "--io " + io.text() + " was asked for";
        } else if (!endpoints.targets().stream().allMatch(Means::isLoopback)) {
            why = "the helper millrace-sources sends to IPv4 loopback addresses only";
        } else if (endpoints.targets().size() > HelperTransmitter.MAX_TARGETS) {
            why = "the helper millrace-sources has at most " + HelperTransmitter.MAX_TARGETS + " targets";
        } else if (program == null) {
            why = "the helper millrace-sources is not there; it is built where there is a C compiler";
        } else {
            checkNet(endpoints);
            return new Means(By.HELPER, io, program, "");
        }
        return new Means(
                By.TURNS,
                io,
                null,
                Text.format(
                        "%,d sources take turns, %,d sockets at a time, at the rate that gives: %s",
                        endpoints.sources(), Layout.MAX_OPEN, why));
    }

    /** The helper has a handful of ports for all of them, so each needs an address. */
    private static void checkNet(Endpoints endpoints) {
        SourceNet net = endpoints.net();
        if (net != null && endpoints.sources() > net.addresses()) {
            throw new IllegalArgumentException(Text.format(
                    "--source-net has %,d addresses, too few for %,d sources: take a larger one, such as 127.0.0.0/8",
                    net.addresses(), endpoints.sources()));
        }
    }

    private static boolean isLoopback(InetSocketAddress target) {
        return target.getAddress() instanceof Inet4Address address && address.isLoopbackAddress();
    }

    /** How many sources take turns with each other. */
    int group(int sources) {
        return by == By.TURNS ? Layout.MAX_OPEN : sources;
    }

    /** What the report calls the means. */
    String text() {
        return by == By.HELPER ? By.HELPER.text() : io.text();
    }

    /**
     * Opens it.
     *
     * @param segment if not 0, the kernel cuts what is sent into datagrams of this size
     */
    Transmitter open(Endpoints endpoints, int segment) throws IOException {
        io.check();
        return switch (by) {
            case SOCKETS -> io.open(endpoints, 0, endpoints.sources(), segment);
            case TURNS -> new TurnsTransmitter(io, endpoints, Layout.MAX_OPEN);
            case HELPER -> {
                if (program == null) {
                    throw new IllegalStateException("no program");
                }
                yield HelpersTransmitter.start(program, endpoints);
            }
        };
    }

    /** Opens what runs the same code and sends nothing to anybody. */
    Transmitter openIdling(int sources) throws IOException {
        return by == By.HELPER ? HelpersTransmitter.idling() : io.openIdling(sources);
    }
}
