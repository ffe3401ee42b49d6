package io.millrace.app.report;

import io.millrace.transport.DatagramReaderProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The build of this program, which the build stores in the jar ({@code .mvn/build-info}). Unknown values are {@code
 * unknown}, or null.
 *
 * @param version the version of the project
 * @param commit the commit it was built from, in hexadecimal; {@code unknown} outside of git
 * @param dirty true if the sources differed from the commit; null if unknown
 * @param java the version of the JDK that built it
 */
public record BuildInfo(
        String version, String commit, @Nullable Boolean dirty, String java) {
    public static final String UNKNOWN = "unknown";

    private static final int SHORT_COMMIT = 12;

    /** The build of these classes. Any thread. */
    public static BuildInfo read() {
        Properties noted = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/io/millrace/app/build.properties")) {
            if (in != null) {
                noted.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the jar cannot be read", e);
        }
        return of(noted);
    }

    public static BuildInfo of(Properties noted) {
        String dirty = noted.getProperty("dirty", "");
        return new BuildInfo(
                noted.getProperty("version", UNKNOWN),
                noted.getProperty("commit", UNKNOWN),
                dirty.isEmpty() ? null : Boolean.valueOf(dirty),
                noted.getProperty("java", UNKNOWN));
    }

    /** For example {@code 0.1.0 (commit 0123456789ab, changed since; built with Java 17.0.15)}. */
    public String text() {
        String shortCommit = commit.substring(0, Math.min(SHORT_COMMIT, commit.length()));
        String changed = dirty != null && dirty ? ", changed since" : "";
        return version + " (commit " + shortCommit + changed + "; built with Java " + java + ")";
    }

    /** The reason why the transport {@code native} does not work on this host; null if it works. */
    public static @Nullable String nativeProblem() {
        try {
            for (DatagramReaderProvider provider : ServiceLoader.load(DatagramReaderProvider.class)) {
                if (provider.name().equals("native")) {
                    return provider.unavailableBecause();
                }
            }
            return "collector-native is not on the class path";
        } catch (ServiceConfigurationError e) {
            return "it cannot be loaded: " + e.getMessage();
        }
    }
}
