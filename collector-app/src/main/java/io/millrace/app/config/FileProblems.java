package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is wrong with the files that a valid configuration names: the data directory, certificates, keys, and the program of alerts. They may change without the configuration, and
 * an output with a wrong one waits while everything else works. So they are no part of what makes a configuration valid.
 */
public final class FileProblems {
    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    /** Reads all files that a configuration names. */
    public static FileProblems of(Config config) {
        FileProblems problems = new FileProblems();
        Path data = config.all().get(CollectorSettings.DATA);
        if (Files.exists(data) && !Files.isDirectory(data)) {
            problems.errors.add(Problem.of(
                    Objects.requireNonNullElse(
                            config.all().mark(CollectorSettings.DATA),
                            config.all().mark()),
                    CollectorSettings.DATA.key(),
                    ": " + data + " is a file; accepts the path of a directory"));
        }
        config.all()
                .get(Config.INPUTS)
                .forEach((name, input) -> TlsInputSettings.checkFiles(
                        Config.INPUTS.key() + "." + name + "." + TlsInputSettings.SECTION.key(),
                        input.get(TlsInputSettings.SECTION),
                        problems));
        AdminSettings.checkFiles(config, problems);
        AlertSettings.checkFiles(config.all().get(AlertSettings.SECTION), problems);
        config.outputs()
                .forEach(output -> output.checked()
                        .checkFiles()
                        .forEach(found -> problems.add(
                                path(output), output.settings(), found.setting(), found.isError(), found.text())));
        return problems;
    }

    /** The settings section of an output, for messages. */
    public static String path(OutputConfig output) {
        return OutputTypes.KEY + "." + output.name();
    }

    /**
     * Adds findings at the settings that name their files.
     *
     * @param path the section
     * @param files the settings of the section that name the files
     */
    public void add(String path, Bound section, Map<TlsFileCheck.Part, Setting<Path>> files, TlsFileCheck check) {
        for (TlsFileCheck.Finding finding : check.findings()) {
            Setting<Path> setting = Objects.requireNonNull(files.get(finding.part()));
            add(path, section, setting, finding.isError(), finding.text());
        }
    }

    public void add(String path, Bound section, Setting<?> setting, boolean isError, String text) {
        Mark mark = Objects.requireNonNullElse(section.mark(setting), section.mark());
        (isError ? errors : warnings).add(Problem.of(mark, path + "." + setting.key(), ": " + text));
    }

    /** What will not work. */
    public List<Problem> errors() {
        return List.copyOf(errors);
    }

    /** What will not work soon, or may not be meant. */
    public List<Problem> warnings() {
        return List.copyOf(warnings);
    }
}
