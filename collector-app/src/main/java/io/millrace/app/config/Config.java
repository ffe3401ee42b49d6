package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the service runs with: the file, the flags, and the defaults of what neither says.
 *
 * @param data the data directory
 * @param inputs where to listen, at least one
 * @param receive the values of {@link ReceiveSettings}
 * @param outputs where messages go
 * @param admin where admin HTTP listens; null for not at all
 * @param timeZone the zone of time stamps that name none
 * @param inputZones the same for inputs that have one of their own, by name
 * @param all everything, as it was said
 */
public record Config(
        Path data,
        List<CollectorSettings.Input> inputs,
        Bound receive,
        List<OutputConfig> outputs,
        @Nullable InetSocketAddress admin,
        ZoneId timeZone,
        Map<String, ZoneId> inputZones,
        Bound all) {
    /** The data directory. */
    public static final Setting<Path> DATA = Setting.withDefault(
            "data", ValueTypes.DIRECTORY, "data", "The data directory; it is made if it is not there.");

    /** Admin HTTP. */
    public static final Setting<Optional<ListenAddress>> ADMIN_LISTEN = Setting.withDefault(
            "listen",
            ValueTypes.ADDRESS_OR_OFF,
            "127.0.0.1:9514",
            "Where admin HTTP listens. It has no authentication.");

    /** The section of admin HTTP. */
    public static final Section ADMIN =
            Section.of("admin", "Admin HTTP: health, metrics and the ledger.", ADMIN_LISTEN);

    /** Where an input listens. */
    public static final Setting<ListenAddress> LISTEN = Setting.required(
            "listen",
            ValueTypes.ADDRESS,
            "Where to receive. `[::]` takes IPv4 too; what begins with `[` goes in quotes.");

    /** The zone of an input's time stamps without one. */
    public static final Setting<ZoneId> INPUT_TIME_ZONE = Setting.optional(
            "timeZone",
            ValueTypes.ZONE,
            "the file's",
            "The zone of time stamps that name none, in what comes in here and goes to outputs.");

    /** The inputs. */
    public static final NamedSections INPUTS = NamedSections.alike(
            "inputs",
            "Where datagrams come in, by names of your choice. The name of an input is kept with each datagram, and is in"
                    + " metrics.",
            "one, of the name and address `[::]:5514` (IPv4 included; `0.0.0.0:5514` on a host without IPv6)",
            Section.of("", "", LISTEN, INPUT_TIME_ZONE));

    /** The zone of time stamps without one. */
    public static final Setting<ZoneId> TIME_ZONE =
            Setting.optional("timeZone", ValueTypes.ZONE, "this host's", "The zone of time stamps that name none.");

    /** The description of the whole file. */
    public static Section description(OutputTypes types) {
        return Section.of(
                "",
                "These stand at the top of the file, beside the sections below.",
                DATA,
                INPUTS,
                ReceiveSettings.SECTION,
                types.section(),
                ADMIN,
                TIME_ZONE);
    }

    static Config of(Bound all, OutputTypes types) {
        List<CollectorSettings.Input> inputs = new ArrayList<>();
        Map<String, ZoneId> zones = new HashMap<>();
        all.get(INPUTS).forEach((name, input) -> {
            inputs.add(new CollectorSettings.Input(name, input.get(LISTEN).address()));
            ZoneId own = input.find(INPUT_TIME_ZONE);
            if (own != null) {
                zones.put(name, own);
            }
        });
        if (inputs.isEmpty()) {
            String text = ListenAddress.defaultText();
            inputs.add(new CollectorSettings.Input(
                    text, ValueTypes.ADDRESS.parse(text).address()));
        }
        List<OutputConfig> outputs = new ArrayList<>();
        all.get(types.section()).forEach((name, output) -> outputs.add(types.output(name, output)));
        ZoneId zone = all.find(TIME_ZONE);
        return new Config(
                all.get(DATA),
                List.copyOf(inputs),
                all.get(ReceiveSettings.SECTION),
                List.copyOf(outputs),
                all.get(ADMIN).get(ADMIN_LISTEN).map(ListenAddress::address).orElse(null),
                zone == null ? ZoneId.systemDefault() : zone,
                Map.copyOf(zones),
                all);
    }
}
