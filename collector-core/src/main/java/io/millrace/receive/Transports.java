package io.millrace.receive;

import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transports there are, best first. */
final class Transports {
    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    static final String AUTO = "auto";

    private static final List<Transport> ALL = List.of(new EpollTransport(), new NioTransport());

    private Transports() {}

    /**
     * Finds a transport.
     *
     * @param name {@code auto} for the best that works here, else the name of one
     * @throws IllegalArgumentException if there is none of this name, or it does not work here; the message says why
     */
    static Transport select(String name) {
        for (Transport transport : ALL) {
            String problem = transport.unavailableBecause();
            if (transport.name().equals(name) && problem != null) {
                throw new IllegalArgumentException("transport " + name + " does not work here: " + problem
                        + ". Take 'auto', which uses the best that works");
            }
            if (name.equals(AUTO) && problem != null) {
                LOG.info("Transport {} does not work here: {}", transport.name(), problem);
            }
            if (problem == null && (name.equals(AUTO) || name.equals(transport.name()))) {
                return transport;
            }
        }
        throw new IllegalArgumentException("transport takes " + names() + ", not '" + name + "'");
    }

    /** The names a setting may have, for messages. */
    static String names() {
        return AUTO + ", " + ALL.stream().map(Transport::name).collect(Collectors.joining(", "));
    }
}
