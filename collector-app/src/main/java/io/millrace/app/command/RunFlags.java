package io.millrace.app.command;

import io.millrace.app.config.AdminSettings;
import io.millrace.app.config.Overrides;
import io.millrace.collector.CollectorSettings;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of {@code run} that are settings as well. They are generated from the settings, so an option accepts the
 * same values and has the same description.
 */
final class RunFlags implements IModelTransformer {
    static final String LISTEN = "--listen";
    static final String TLS_CERTIFICATE = "--tls-certificate";
    static final String TLS_KEY = "--tls-key";

    private static final List<Flag> FLAGS = flags();

    private record Flag(String name, Section section, Setting<?> setting) {
        OptionSpec option() {
            String help = setting.help().replace("`", "").replace("%", "%%").replaceFirst("\\.$", "");
            return OptionSpec.builder(name)
                    .type(String.class)
                    .paramLabel(setting.type().label())
                    .description(help + " (default: " + setting.otherwise() + ").")
                    .build();
        }
    }

    private static List<Flag> flags() {
        Section top = Section.of("", "", CollectorSettings.DATA);
        List<Flag> flags = new ArrayList<>();
        flags.add(new Flag("--" + CollectorSettings.DATA.flagName(), top, CollectorSettings.DATA));
        CollectorSettings.RECEIVE.entries().forEach(entry -> {
            if (entry instanceof Setting<?> setting) {
                flags.add(new Flag("--" + setting.flagName(), CollectorSettings.RECEIVE, setting));
            }
        });
        flags.add(new Flag("--" + AdminSettings.SECTION.key(), AdminSettings.SECTION, AdminSettings.LISTEN));
        return List.copyOf(flags);
    }

    @Override
    public CommandSpec transform(CommandSpec command) {
        FLAGS.forEach(flag -> command.addOption(flag.option()));
        return command;
    }

    static Overrides overrides(
            ParseResult parsed, List<String> listen, @Nullable String certificateFile, @Nullable String keyFile) {
        Overrides overrides = new Overrides();
        for (Flag flag : FLAGS) {
            String text = parsed.matchedOptionValue(flag.name(), null);
            if (text != null) {
                overrides.set(flag.name(), flag.section(), flag.setting(), text);
            }
        }
        boolean onTls = listen.stream().anyMatch(address -> address.startsWith("tls://"));
        boolean onRelp = listen.stream().anyMatch(address -> address.startsWith("relp://"));
        if (onTls && (certificateFile == null || keyFile == null)) {
            throw new IllegalArgumentException(LISTEN + " tls://HOST:PORT needs " + TLS_CERTIFICATE + " FILE and "
                    + TLS_KEY + " FILE, both in PEM");
        }
        if (!onTls && !onRelp && (certificateFile != null || keyFile != null)) {
            throw new IllegalArgumentException(TLS_CERTIFICATE + " and " + TLS_KEY + " are for an address given as "
                    + LISTEN + " tls://HOST:PORT or relp://HOST:PORT; in a file, the setting is inputs.NAME.tls");
        }
        if (!listen.isEmpty()) {
            overrides.setInputs(LISTEN, listen, certificateFile, keyFile);
        }
        return overrides;
    }
}
