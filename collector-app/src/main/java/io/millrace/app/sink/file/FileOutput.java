package io.millrace.app.sink.file;

import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.OutputType;
import io.millrace.app.sink.name.NameLimit;
import io.millrace.app.sink.name.NameTemplate;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code type: file}. */
public final class FileOutput implements OutputType {
    static final Setting<NameTemplate> PATH = Setting.required(
            "path",
            SettingTypes.parsed("PATH", "the path of a file; it may have fields in braces", FileOutput::path),
            "The path, with fields of the message and of the receive time (`{date}`, `{year}`, `{month}`,"
                    + " `{day}`, `{hour}`) in braces: `/var/log/millrace/{date}/{hostname}.log`. It must not be one of the"
                    + " collector's files in the data directory. Missing directories are created. In fields, all characters"
                    + " but letters, digits, `.`, `-`, `_` and `:` become `_`; an absent field is `-`. Times are in the"
                    + " file's `timeZone`. A message whose file cannot be used goes to `@other`: see `maxNames`.");

    static final Setting<Long> ROTATE_SIZE = Setting.optional(
            "rotateSize",
            SettingTypes.longSize(1024, Long.MAX_VALUE),
            "never",
            "A file of this size is renamed to `NAME@TIME`, and a new one is started.");

    static final Setting<Duration> ROTATE_AFTER = Setting.optional(
            "rotateAfter",
            SettingTypes.DURATION,
            "never",
            "A file is renamed to `NAME@TIME` this long after the service first wrote to it, and a new one is"
                    + " started.");

    static final Setting<FileSink.Compression> COMPRESS = Setting.withDefault(
            "compress", SettingTypes.oneOf(FileSink.Compression.class), "none", "The compression of renamed files.");

    static final Setting<FileRetention.Keep> KEEP = Setting.optional(
            "keep",
            SettingTypes.parsed(
                    "TIME or FILES", "a number of files such as 100, or a time such as 30d", FileRetention.Keep::parse),
            "all",
            "How many renamed files of a path are kept, or for how long after they were renamed. Older ones are deleted when"
                    + " the output begins to write a file of this path; other files never.");

    static final Setting<FileSink.Sync> SYNC = Setting.withDefault(
            "sync",
            SettingTypes.oneOf(FileSink.Sync.class),
            "none",
            "none: the kernel decides when written data is on disk; batch: data is synced before it counts as"
                    + " delivered.");

    static final NameLimit.Settings NAMES = NameLimit.Settings.of(
            "files", 10_000, 1_000, "Further messages go to the file with `@other` in the place of each field.");

    private static NameTemplate path(String text) {
        if (text.endsWith("/")) {
            throw new IllegalArgumentException("this is a directory; add the name of a file");
        }
        if (text.startsWith("~")) {
            throw new IllegalArgumentException("~ is not expanded: write the path out");
        }
        return NameTemplate.parse(text);
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public String help() {
        return "Writes messages to files, one per line, except that format raw keeps line feeds within a message."
                + " A file belongs to one output.";
    }

    @Override
    public Section settings() {
        return Section.of(PATH, ROTATE_SIZE, ROTATE_AFTER, COMPRESS, KEEP, SYNC, NAMES.max(), NAMES.perMinute());
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        Long size = output.settings().find(ROTATE_SIZE);
        Duration after = output.settings().find(ROTATE_AFTER);
        FileRetention.Keep keep = output.settings().find(KEEP);
        if (keep != null && size == null && after == null) {
            throw new IllegalArgumentException(
                    "keep needs rotateSize or rotateAfter, because it deletes renamed files only");
        }
        return new FileSink(
                output.name(),
                output.settings().get(OutputSettings.FORMAT),
                output.settings().get(PATH).in(timeZone),
                new FileSink.Rotation(
                        size == null ? Long.MAX_VALUE : size,
                        after == null ? Duration.ofDays(36_500) : after,
                        output.settings().get(COMPRESS),
                        keep == null ? FileRetention.Keep.ALL : keep),
                output.settings().get(SYNC),
                NAMES.limit(output.settings()));
    }

    @Override
    public List<String> warnings(OutputConfig output) {
        NameTemplate path = output.settings().get(PATH);
        List<String> warnings = new ArrayList<>(path.warnings());
        String protectedPath = UnitProtection.ofThisHost(output.mark().source()).warning(writesTo(output));
        if (protectedPath != null) {
            warnings.add(protectedPath);
        }
        if (output.settings().find(KEEP) != null && path.isOfDate()) {
            warnings.add("keep counts the renamed files of each path, and path '" + path
                    + "' has other files each day: those of earlier days are never deleted. Leave the date out of the path, or"
                    + " delete old files with another program");
        }
        return warnings;
    }

    /** Looks whether the user may write where the files are; creates nothing. */
    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException {
        Path file = ownFile(output);
        if (file != null && Files.exists(file)) {
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is not a regular file: name another one");
            }
            return writable(file, file + " can be written");
        }
        Path directory = Objects.requireNonNull(file == null ? writesTo(output) : file.getParent());
        Path there = directory;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            throw new IOException(there + " is not a directory: name another one, or remove it");
        }
        return writable(
                there,
                there.equals(directory)
                        ? "files can be created in " + there
                        : directory + " does not exist, and can be created in " + there);
    }

    private static String writable(Path place, String text) throws IOException {
        if (Files.getFileStore(place).isReadOnly()) {
            throw new IOException(
                    place + " is on a file system that is read-only here"
                            + ": mount it for writing, or name another path. Under systemd, ReadWritePaths in the unit allows it");
        }
        if (!Files.isWritable(place)) {
            throw new IOException("the user " + System.getProperty("user.name") + " cannot write " + place
                    + ": change its owner or permissions, and run this as the user of the service");
        }
        return text;
    }

    @Override
    public @Nullable Path ownFile(OutputConfig output) {
        NameTemplate path = output.settings().get(PATH);
        return path.isConstant() ? Path.of(path.toString()).toAbsolutePath().normalize() : null;
    }

    @Override
    public Path writesTo(OutputConfig output) {
        NameTemplate path = output.settings().get(PATH);
        String fixed = path.isConstant() ? path.toString() : directory(path.beginning());
        return Path.of(fixed).toAbsolutePath().normalize();
    }

    /** The path up to the last slash; the rest is only the beginning of a name. */
    private static String directory(String beginning) {
        return beginning.substring(0, beginning.lastIndexOf('/') + 1);
    }
}
