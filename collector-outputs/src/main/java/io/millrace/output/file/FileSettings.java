package io.millrace.output.file;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.FilePaths;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of an output to files, one line per message. A file belongs to one output of the process. */
public final class FileSettings extends OutputSettings {
    static final Setting<NameTemplate> PATH = Setting.required(
            "path",
            SettingTypes.parsed("PATH", "the path of a file; it may have fields in braces", FileSettings::path),
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

    static final Setting<Compression> COMPRESS = Setting.withDefault(
            "compress",
            SettingTypes.oneOf(Compression.class),
            "none",
            "The compression of renamed files. With a time in the path, a file whose day, month or hour is over is renamed to"
                    + " `NAME@TIME` and compressed too, whatever its size.");

    static final Setting<FileRetention.Keep> KEEP = Setting.optional(
            "keep",
            SettingTypes.parsed("TIME or FILES", FileRetention.Keep.TAKES, FileRetention.Keep::parse),
            "all",
            "A time such as `30d`: files of this output are deleted that long after their last write, also those of earlier"
                    + " days and of silent hosts. The file of a path without fields stays, and so do files of the current day, month"
                    + " or hour. A number such as `100`: so many renamed files of each path are kept.");

    static final Setting<Sync> SYNC = Setting.withDefault(
            "sync",
            SettingTypes.oneOf(Sync.class),
            "none",
            "none: the kernel decides when written data is on disk; batch: data is synced before it counts as"
                    + " delivered.");

    private static final NameSettings NAMES = NameSettings.of(
            "files", 10_000, 1_000, "Further messages go to the file with `@other` in the place of each field.");

    /** The type {@code file}. */
    public static final OutputType TYPE = new OutputType(
            "file",
            "Writes messages to files, one per line, except that format raw keeps line feeds within a message."
                    + " A file belongs to one output.",
            List.of(FORMAT, PATH, ROTATE_SIZE, ROTATE_AFTER, COMPRESS, KEEP, SYNC, NAMES.max(), NAMES.perMinute()),
            BatchSettings.LARGE,
            FileSettings::new);

    /** When written messages are on disk. */
    public enum Sync {
        /** When the kernel decides. */
        NONE,
        /** Before they count as delivered. */
        BATCH
    }

    private FileSettings(Settings values) {
        super(TYPE, values);
        values.get(COMPRESS).checkLibrary();
        FileRetention.Keep keep = values.find(KEEP);
        if (keep == null || values.isSet(ROTATE_SIZE) || values.isSet(ROTATE_AFTER)) {
            return;
        }
        if (!keep.isByAge()) {
            throw new SettingException(
                    KEEP, "as a number needs rotateSize or rotateAfter, because it counts renamed files");
        }
        if (template().isConstant()) {
            throw new SettingException(
                    KEEP, "needs rotateSize or rotateAfter, because the only file of path '" + template() + "' stays");
        }
    }

    /** Begins with the defaults: only the path is required. */
    public static Builder builder() {
        return new Builder();
    }

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
    public Sink sink(String output) {
        return new FileSink(
                output,
                values().get(FORMAT),
                template().in(zone()),
                new FileSink.Rotation(
                        Objects.requireNonNullElse(values().find(ROTATE_SIZE), Long.MAX_VALUE),
                        Objects.requireNonNullElse(values().find(ROTATE_AFTER), FileSink.Rotation.NEVER.after()),
                        values().get(COMPRESS),
                        Objects.requireNonNullElse(values().find(KEEP), FileRetention.Keep.ALL)),
                values().get(SYNC),
                NAMES.limit(values()));
    }

    NameTemplate template() {
        return values().get(PATH);
    }

    @Override
    public List<String> warnings(int batchBytes) {
        List<String> warnings = new ArrayList<>(template().warnings());
        FileRetention.Keep keep = values().find(KEEP);
        if (keep != null && !keep.isByAge() && template().isOfDate()) {
            warnings.add(
                    "keep counts the renamed files of each path, and path '" + template()
                            + "' has other files each day: those of earlier days are never deleted. Write a time, such as keep: 30d");
        }
        return warnings;
    }

    /**
     * Finds outputs that can write to a file of an earlier one.
     *
     * @param outputs by their names, in their order
     * @return a warning for each of them, by its name
     */
    public static Map<String, String> overlaps(Map<String, FileSettings> outputs) {
        return FileOverlaps.warnings(outputs, FilePaths::resolved);
    }

    /** Looks whether the user may write where the files are; creates nothing. */
    @Override
    public String connect(String output, Duration limit) throws IOException {
        Path file = ownFile();
        if (file != null && Files.exists(file)) {
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is not a regular file: name another one");
            }
            return writable(file, file + " can be written");
        }
        Path directory = Objects.requireNonNull(file == null ? writesTo() : file.getParent());
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
    public @Nullable Path ownFile() {
        return template().isConstant()
                ? Path.of(template().toString()).toAbsolutePath().normalize()
                : null;
    }

    @Override
    public Path writesTo() {
        String fixed =
                template().isConstant() ? template().toString() : template().directory();
        return Path.of(fixed).toAbsolutePath().normalize();
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends OutputSettings.Builder<Builder> {
        private Builder() {}

        public Builder format(LineFormat format) {
            return set(FORMAT, format);
        }

        /** The path, with fields and times in braces: {@code /var/log/{date}/{hostname}.log}. Required. */
        public Builder path(String path) {
            return parse(PATH, path);
        }

        public Builder timeZone(ZoneId zone) {
            return set(TIME_ZONE, zone);
        }

        /** The bytes at which a file is renamed, and a new one started. */
        public Builder rotateSize(long bytes) {
            return set(ROTATE_SIZE, bytes);
        }

        /** The time after which a file is renamed, and a new one started. */
        public Builder rotateAfter(Duration after) {
            return set(ROTATE_AFTER, after);
        }

        public Builder compress(Compression compression) {
            return set(COMPRESS, compression);
        }

        /** How many renamed files of each path are kept. */
        public Builder keep(int files) {
            return parse(KEEP, Integer.toString(files));
        }

        /** How long files are kept after the last write to them, renamed or not. */
        public Builder keep(Duration age) {
            try {
                return set(KEEP, FileRetention.Keep.of(age));
            } catch (IllegalArgumentException e) {
                throw new SettingException(KEEP, String.valueOf(e.getMessage()));
            }
        }

        public Builder sync(Sync when) {
            return set(SYNC, when);
        }

        /** The limit of files that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new files that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        /** Checks the settings together. */
        public FileSettings build() {
            return new FileSettings(values());
        }
    }
}
