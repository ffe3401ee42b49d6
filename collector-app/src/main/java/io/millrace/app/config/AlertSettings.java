package io.millrace.app.config;

import io.millrace.output.internal.secret.PlainText;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.output.internal.tls.TlsSettings;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whom the service tells about faults: the section {@code alerts}.
 *
 * @param webhooks where it posts, by name
 * @param command the program it runs, with arguments; empty for none
 * @param after how long a fault lasts before it is told, and is gone before its end is told
 * @param repeat how often a lasting fault is told again; zero for never
 * @param outputLag the age from which an undelivered message of an output is a fault
 */
public record AlertSettings(
        Map<String, Webhook> webhooks, List<String> command, Duration after, Duration repeat, Duration outputLag) {
    /**
     * A webhook.
     *
     * @param url where it is
     * @param headers the headers of each request; may be secrets
     * @param tls the certificates, for https only
     * @param mark its place in the file
     */
    public record Webhook(URI url, Map<String, String> headers, TlsSettings tls, Mark mark) {
        /** Omits headers and the query of the URL, which may be secrets. */
        @Override
        public String toString() {
            return "webhook at " + mark;
        }
    }

    public static final Setting<URI> URL = Setting.required("url", SettingTypes.URL, "Where to post, as JSON.");

    public static final Setting<Map<String, String>> HEADERS = Setting.optional(
            "headers",
            SettingTypes.SECRET_BY_NAME,
            "none",
            "Headers of each request, such as `Authorization`; `${file:/path}` keeps a value in a file.");

    public static final NamedSections WEBHOOKS = NamedSections.alike(
            "webhooks",
            "Webhooks by names of your choice, which are in metrics.",
            "none",
            Section.of(
                    "",
                    "",
                    URL,
                    HEADERS,
                    TlsOptions.CA_FILE,
                    TlsOptions.CERTIFICATE_FILE,
                    TlsOptions.KEY_FILE,
                    TlsOptions.VERIFY_HOSTNAME));

    public static final Setting<List<String>> COMMAND = Setting.optional(
            "command",
            SettingTypes.texts(
                    "a list of a program and its arguments, such as [/usr/local/bin/alert, ops]", text -> {}),
            "none",
            "A program to run, by its full path, with its arguments. It gets the JSON on standard input.");

    /** How long a fault lasts first. */
    public static final Setting<Duration> AFTER = Setting.withDefault(
            "after",
            SettingTypes.DURATION,
            "10s",
            "How long a fault must last before its alert is sent, and be gone before `resolved` is sent.");

    /** How often a lasting fault is told. */
    public static final Setting<Duration> REPEAT = Setting.withDefault(
            "repeat",
            SettingTypes.DURATION,
            "4h",
            "The alert of a fault that lasts is sent again after this time; 0s: never.");

    /** The age of an undelivered message that is a fault. */
    public static final Setting<Duration> OUTPUT_LAG = Setting.withDefault(
            "outputLag",
            SettingTypes.DURATION,
            "5m",
            "An output is lagging when its oldest undelivered message is older. The page and `millrace status` show it too.");

    public static final Section SECTION = Section.of(
            "alerts",
            "Alerts: notifications when a fault begins and when it ends: docs/operate/alerts.md.",
            COMMAND,
            AFTER,
            REPEAT,
            OUTPUT_LAG,
            WEBHOOKS);

    /** Copies the collections. */
    public AlertSettings {
        webhooks = Map.copyOf(webhooks);
        command = List.copyOf(command);
    }

    /** True if somebody is told. */
    public boolean hasTargets() {
        return !webhooks.isEmpty() || !command.isEmpty();
    }

    static AlertSettings of(Bound bound) {
        List<Problem> problems = new ArrayList<>();
        Map<String, Webhook> webhooks = new TreeMap<>();
        bound.get(WEBHOOKS).forEach((name, each) -> {
            Webhook webhook = webhook(name, each, problems);
            if (webhook != null) {
                webhooks.put(name, webhook);
            }
        });
        List<String> command = bound.find(COMMAND);
        Mark mark = bound.mark(COMMAND);
        if (command != null && mark != null) {
            String wrong = wrong(command.get(0));
            if (wrong != null) {
                problems.add(Problem.of(mark, SECTION.key() + "." + COMMAND.key(), wrong));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new AlertSettings(
                webhooks,
                command == null ? List.of() : command,
                bound.get(AFTER),
                bound.get(REPEAT),
                bound.get(OUTPUT_LAG));
    }

    /** What is valid, and likely a mistake. */
    public List<Problem> warnings() {
        List<Problem> warnings = new ArrayList<>();
        new TreeMap<>(webhooks).forEach((name, webhook) -> {
            String plain = PlainText.warning(
                    webhook.url(), List.of(), webhook.headers().keySet());
            if (plain != null) {
                warnings.add(
                        Problem.of(webhook.mark(), SECTION.key() + "." + WEBHOOKS.key() + "." + name, ": " + plain));
            }
        });
        return warnings;
    }

    /** Checks the program and the files of webhooks. */
    static void checkFiles(Bound bound, FileProblems problems) {
        List<String> command = bound.find(COMMAND);
        String program = command == null ? null : command.get(0);
        String wrong = program == null ? null : unusable(program);
        if (wrong != null) {
            problems.add(SECTION.key(), bound, COMMAND, true, "cannot run " + program + ": " + wrong);
        }
        bound.get(WEBHOOKS)
                .forEach((name, each) -> TlsOptions.checkFiles(each.settings())
                        .forEach(found -> problems.add(
                                SECTION.key() + "." + WEBHOOKS.key() + "." + name,
                                each,
                                TlsOptions.setting(found.part()),
                                found.isError(),
                                found.text())));
    }

    /** Why a program cannot be run; null if it can. */
    private static @Nullable String unusable(String program) {
        Path file = Path.of(program);
        if (!Files.exists(file)) {
            return "there is no such file";
        }
        if (!Files.isRegularFile(file)) {
            return "it is not a file";
        }
        return Files.isExecutable(file) ? null : "this user may not execute it; try chmod +x";
    }

    private static @Nullable Webhook webhook(String name, Bound bound, List<Problem> problems) {
        String path = SECTION.key() + "." + WEBHOOKS.key() + "." + name;
        URI url = bound.get(URL);
        String scheme = String.valueOf(url.getScheme());
        Mark mark = bound.mark(URL);
        if (mark == null || !(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null) {
            // What is given is not quoted, because it may be a secret.
            problems.add(Problem.of(
                    mark == null ? bound.mark() : mark,
                    path + "." + URL.key(),
                    "accepts a URL such as https://hooks.example.com/millrace, which begins with http:// or https:// and"
                            + " has a host"));
            return null;
        }
        Map<String, String> headers = bound.find(HEADERS);
        try {
            TlsOptions.checkUnused(bound.settings(), url);
            return new Webhook(
                    url, headers == null ? Map.of() : headers, TlsOptions.of(bound.settings()), bound.mark());
        } catch (SettingException e) {
            problems.addAll(Problem.of(bound, path, e));
            return null;
        } catch (IllegalArgumentException e) {
            problems.add(Problem.of(bound.mark(), path, String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** What is wrong with the path of a program; null if it is right. */
    private static @Nullable String wrong(String program) {
        try {
            return Path.of(program).isAbsolute()
                    ? null
                    : "accepts the full path of a program, such as /usr/local/bin/alert, not '" + program + "'";
        } catch (InvalidPathException e) {
            return "accepts the path of a program, not '" + program + "'";
        }
    }
}
