package io.millrace.app.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths that the systemd unit of the packages lets the service write to: those of its own, and those that a drop-in of this
 * host adds. A check of the configuration by another user does not meet this protection.
 */
final class UnitProtection {
    private static final String CONFIG = "/etc/millrace/millrace.yaml";
    private static final String UNIT = "millrace.service";
    private static final List<Path> OWN = List.of(
            Path.of("/var/lib/millrace"), Path.of("/var/log/millrace"), Path.of("/run/millrace"), Path.of("/tmp"));

    private static final Pattern READ_WRITE = Pattern.compile("(?m)^\\s*ReadWritePaths=(.*)$");
    private static final Pattern SYSTEM = Pattern.compile("(?m)^\\s*ProtectSystem=(\\S*)\\s*$");

    private final String unit;

    /** The protection by a unit and its drop-ins, in their order; none without a unit. */
    UnitProtection(String unit) {
        this.unit = unit;
    }

    /** That of the unit of this host, if a configuration file is the one that it uses. */
    static UnitProtection ofThisHost(String config) {
        return new UnitProtection(config.equals(CONFIG) ? unit() : "");
    }

    private static String unit() {
        StringBuilder unit = new StringBuilder();
        Path local = Path.of("/etc/systemd/system", UNIT);
        unit.append(read(Files.exists(local) ? local : Path.of("/usr/lib/systemd/system", UNIT)));
        try (DirectoryStream<Path> dropIns =
                Files.newDirectoryStream(Path.of("/etc/systemd/system", UNIT + ".d"), "*.conf")) {
            List<Path> sorted = new ArrayList<>();
            dropIns.forEach(sorted::add);
            sorted.sort(null);
            sorted.forEach(each -> unit.append('\n').append(read(each)));
        } catch (IOException e) {
            // There are none.
        }
        return unit.toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** What to say of a directory that the service cannot write to; null if it can, or that is unknown. */
    @Nullable
    String warning(Path directory) {
        String system = "";
        for (Matcher each = SYSTEM.matcher(unit); each.find(); ) {
            system = each.group(1);
        }
        if (!system.equals("strict") || Stream.concat(OWN.stream(), allowed()).anyMatch(directory::startsWith)) {
            return null;
        }
        return "the unit " + UNIT
                + " lets the service write below /var/log/millrace and /var/lib/millrace only: choose a path there, or"
                + " run 'systemctl edit millrace' and add [Service] ReadWritePaths=" + directory;
    }

    private Stream<Path> allowed() {
        return READ_WRITE
                .matcher(unit)
                .results()
                .flatMap(each -> Stream.of(each.group(1).trim().split("\\s+")))
                .map(path -> path.replaceFirst("^[-+]+", ""))
                .filter(path -> path.startsWith("/"))
                .map(Path::of);
    }
}
