package io.millrace.internal.transport;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.DatagramReaderProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The available transports: first those that {@code auto} selects from, best first. */
public final class Transports {
    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    static final String AUTO = "auto";

    /** The setting by which a file or a program selects a transport. */
    public static final Setting<String> SETTING = Setting.withDefault(
            "transport", new NameType(), AUTO, "How datagrams are read; auto is the best that works here.");

    /** The name of the native module, for messages if it is missing. */
    private static final String NATIVE = "native";

    /** Limits the retries, because a class path that cannot be read fails every time. */
    private static final int MAX_FAILURES = 16;

    private static final List<DatagramReaderProvider> PROVIDERS = providers();
    private static final List<Transport> FOR_AUTO = forAuto();
    private static final List<Transport> ALL = all();

    private Transports() {}

    /** A name of a transport. A program may have one of its own, so its choice is checked by {@link #select}. */
    private static final class NameType extends SettingType<String> {
        private static final SettingType<String> OURS = SettingTypes.oneOf(AUTO, NATIVE, "epoll", "nio");

        NameType() {
            super(OURS.label(), OURS.takes());
        }

        @Override
        public String parse(String text) {
            return OURS.parse(text);
        }
    }

    private static List<DatagramReaderProvider> providers() {
        List<DatagramReaderProvider> providers = new ArrayList<>();
        String problem = "collector-native is not on the class path";
        Iterator<DatagramReaderProvider> found =
                ServiceLoader.load(DatagramReaderProvider.class).iterator();
        boolean more = true;
        for (int failures = 0; more && failures < MAX_FAILURES; ) {
            try {
                more = found.hasNext();
                if (more) {
                    providers.add(found.next());
                }
            } catch (ServiceConfigurationError e) {
                failures++;
                LOG.warn("Cannot load a transport, which is ignored: {}", e.getMessage());
                problem = "it cannot be loaded: " + e.getMessage();
            }
        }
        if (providers.stream().noneMatch(provider -> provider.name().equals(NATIVE))) {
            providers.add(new Missing(problem));
        }
        return List.copyOf(providers);
    }

    private static List<Transport> forAuto() {
        List<Transport> transports = new ArrayList<>();
        PROVIDERS.stream()
                .filter(DatagramReaderProvider::isForAuto)
                .map(EpollTransport::new)
                .forEach(transports::add);
        transports.add(new EpollTransport());
        transports.add(new NioTransport());
        return List.copyOf(transports);
    }

    private static List<Transport> all() {
        List<Transport> transports = new ArrayList<>(FOR_AUTO);
        PROVIDERS.stream()
                .filter(provider -> !provider.isForAuto())
                .map(EpollTransport::new)
                .forEach(transports::add);
        return List.copyOf(transports);
    }

    /** A placeholder for the native module if it is missing. */
    private record Missing(String unavailableBecause) implements DatagramReaderProvider {
        @Override
        public String name() {
            return NATIVE;
        }

        @Override
        public boolean isForAuto() {
            return true;
        }

        @Override
        public DatagramReader open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps) {
            throw new IllegalStateException(unavailableBecause);
        }
    }

    /**
     * Returns a transport by its name.
     *
     * @param name {@code auto} for the best one that works here, or the name of a transport
     * @throws SettingException if the name is unknown, or the transport does not work here; the message says why
     */
    public static Transport select(String name) {
        for (Transport transport : name.equals(AUTO) ? FOR_AUTO : ALL) {
            if (!name.equals(AUTO) && !name.equals(transport.name())) {
                continue;
            }
            String problem = transport.unavailableBecause();
            if (problem == null) {
                return transport;
            }
            if (!name.equals(AUTO)) {
                throw new SettingException(
                        SETTING,
                        name + " does not work here: " + problem + ". Use 'auto', which selects the best that works");
            }
        }
        throw new SettingException(SETTING, "accepts " + names() + ", not '" + name + "'");
    }

    /**
     * Checks that a transport can go on with sockets that are bound already, and pass its own on.
     *
     * @throws SettingException if it cannot
     */
    public static void checkPassing(String name) {
        Transport transport = select(name);
        if (!transport.isOnEpoll()) {
            throw new SettingException(
                    SETTING,
                    "accepts native or epoll where bound sockets are passed between processes, and this is "
                            + transport.name());
        }
    }

    /** Returns a transport by its name, and logs why {@code auto} did not select a better one. */
    public static Transport selectAndLog(String name) {
        Transport chosen = select(name);
        for (Transport better : FOR_AUTO.subList(0, name.equals(AUTO) ? FOR_AUTO.indexOf(chosen) : 0)) {
            @Nullable String problem = better.unavailableBecause();
            LOG.info("Transport {} does not work here: {}", better.name(), problem);
        }
        return chosen;
    }

    /** The valid names, for messages. */
    static String names() {
        return AUTO + ", " + ALL.stream().map(Transport::name).collect(Collectors.joining(", "));
    }
}
