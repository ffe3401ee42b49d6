package io.millrace.app.manual;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writer of completions and manual pages into a directory tree like {@code /usr}. Run by the build. */
public final class CommandDocs {
    /** The gzip header field for the compression level, and its value for the highest (RFC 1952, XFL). */
    private static final int GZIP_FLAGS = 8;

    private static final byte GZIP_SMALLEST = 2;

    private final Path share;

    private CommandDocs(Path share) {
        this.share = share;
    }

    /**
     * Takes a directory, the version, the time of the sources as an ISO instant, the class of the command, and those of commands
     * below it that come from elsewhere as {@code NAME=CLASS}. A class has a static method {@code commandLine()}.
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        CommandLine root = commandLine(args[3]);
        for (String below : List.of(args).subList(4, args.length)) {
            int equals = below.indexOf('=');
            CommandLine command = commandLine(below.substring(equals + 1));
            root.addSubcommand(below.substring(0, equals), command.setCommandName(below.substring(0, equals)));
        }
        Path directory = Path.of(args[0]);
        Instant time = Instant.parse(args[2]);
        new CommandDocs(directory.resolve("share")).write(root, new ManPage(args[1], time));
        String changes = debianChanges(args[1], time);
        writeGzip(directory.resolve("debian").resolve("changelog.gz"), changes);
    }

    private static CommandLine commandLine(String className) throws ReflectiveOperationException {
        return (CommandLine) Class.forName(className).getMethod("commandLine").invoke(null);
    }

    void write(CommandLine root, ManPage page) throws IOException {
        String name = root.getCommandName();
        // Shells source the file, so it needs no interpreter line.
        writeText(
                "bash-completion/completions/" + name,
                AutoComplete.bash(name, root).replaceFirst("^#!.*\\R", ""));
        writeText("zsh/vendor-completions/_" + name, ZshCompletion.of(root));
        writeText("fish/vendor_completions.d/" + name + ".fish", FishCompletion.of(root));
        writePages(root, page);
    }

    private void writePages(CommandLine command, ManPage page) throws IOException {
        writeGzip(share.resolve("man/man1/" + ManPage.name(command) + ".1.gz"), page.of(command));
        for (CommandLine below : command.getSubcommands().values()) {
            writePages(below, page);
        }
    }

    /** Debian requires a changelog per package; the changes are in the project's file. */
    private static String debianChanges(String version, Instant time) {
        DateTimeFormatter format = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT);
        return "millrace (" + version.replace("-SNAPSHOT", "~SNAPSHOT") + ") unstable; urgency=medium\n\n"
                + "  * See CHANGELOG.md beside this file.\n\n"
                + " -- The Millrace maintainers <maintainers@users.noreply.a-seed-c72a9ec1.example>  "
                + format.format(time.atOffset(ZoneOffset.UTC)) + "\n";
    }

    private void writeText(String path, String text) throws IOException {
        Path file = share.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text.replace(System.lineSeparator(), "\n"));
    }

    private static void writeGzip(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new Smallest(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        byte[] packed = bytes.toByteArray();
        packed[GZIP_FLAGS] = GZIP_SMALLEST;
        Files.write(file, packed);
    }

    /** Compresses like {@code gzip -9n}, as Debian requires. */
    private static final class Smallest extends GZIPOutputStream {
        Smallest(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
