package io.millrace.app.control;

import io.millrace.app.config.ConfigException;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The search for the data directory by commands that are not told where it is: that of the configuration file, that of the
 * package's configuration, {@code data} in the working directory, and that of the running service, in this order.
 */
public final class DataSearch {
    /** Where the packages have the configuration file. */
    public static final Path PACKAGE_CONFIG = Path.of("/etc/millrace/millrace.yaml");

    /** The default of the setting. */
    public static final Path DEFAULT = Path.of("data");

    private final Path packageConfig;
    private final Path local;
    private final Path proc;

    /**
     * What was found.
     *
     * @param path the data directory, which may not exist if a configuration names it
     * @param origin what named it, for people
     */
    public record Found(Path path, String origin) {}

    public DataSearch() {
        this(PACKAGE_CONFIG, DEFAULT, Path.of("/proc"));
    }

    DataSearch(Path packageConfig, Path local, Path proc) {
        this.packageConfig = packageConfig;
        this.local = local;
        this.proc = proc;
    }

    /**
     * The data directory of a configuration file.
     *
     * @throws ConfigException if the file cannot be read
     */
    public Path of(Path config) {
        Path data = new ConfigLoader(OutputTypes.ALL, System.getenv()).dataDirectory(config);
        return data == null ? local : data;
    }

    /**
     * Searches it.
     *
     * @throws IOException if there is none, or if several services run; the message says where it was searched
     */
    public Found find() throws IOException {
        Found ofPackage = ofPackage();
        if (ofPackage != null) {
            return ofPackage;
        }
        if (Files.isDirectory(local)) {
            return new Found(local, "the working directory");
        }
        Map<Path, String> running = running();
        if (running.size() == 1) {
            Map.Entry<Path, String> only = running.entrySet().iterator().next();
            return new Found(only.getKey(), "the running process " + only.getValue());
        }
        throw new IOException(
                running.isEmpty()
                        ? "there is no data directory " + local.toAbsolutePath() + ", no " + packageConfig
                                + (Files.exists(packageConfig) ? " that this user may read" : "")
                                + ", and this user sees no running service: name the directory with --data, or the"
                                + " configuration with --config"
                        : "several services run: name one of their directories with --data: "
                                + running.keySet().stream().map(Path::toString).collect(Collectors.joining(", ")));
    }

    private @Nullable Found ofPackage() {
        if (!Files.isReadable(packageConfig)) {
            return null;
        }
        Path data;
        try {
            data = new ConfigLoader(OutputTypes.ALL, System.getenv()).dataDirectory(packageConfig);
        } catch (ConfigException e) {
            // The service may run all the same, with the file as it was.
            return null;
        }
        // What a relative path is relative to is known to the service only.
        return data == null || !data.isAbsolute() ? null : new Found(data, packageConfig.toString());
    }

    /** The data directories that processes hold, and which: of this user's processes only, unless this is root. */
    private Map<Path, String> running() throws IOException {
        Map<Path, String> running = new TreeMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                Path data = heldBy(process.resolve("fd"));
                if (data != null) {
                    running.put(data, process.getFileName().toString());
                }
            }
        }
        return running;
    }

    private static @Nullable Path heldBy(Path descriptors) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                Path data = dataOfLock(descriptor);
                if (data != null) {
                    return data;
                }
            }
        } catch (IOException e) {
            // The process has ended, or it is another user's.
            return null;
        }
        return null;
    }

    private static @Nullable Path dataOfLock(Path descriptor) {
        try {
            Path target = Files.readSymbolicLink(descriptor);
            Path data = target.getParent();
            // In a container the path may be of another file system.
            return data != null
                            && target.endsWith("LOCK")
                            && Files.exists(data.resolve("meta.json"))
                            && Files.isSameFile(descriptor, target)
                    ? data
                    : null;
        } catch (IOException e) {
            return null;
        }
    }
}
