package io.millrace.output.internal.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The forms of a secret in texts: encoded, escaped, and its parts. */
final class SecretForms {
    /** The maximum length of a form; a longer text is split into several. */
    static final int MAX_LENGTH = 4096;

    private static final int MAX_DEPTH = 3;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,5}");
    private static final Pattern URL =
            Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]*://(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\\?([^#]*))?(?:#(.*))?");
    private static final Pattern HOST_AND_PORT = Pattern.compile("\\[?([^\\s/\\[\\]]+?)]?:\\d{1,5}");
    private static final Pattern SCHEME_AND_TOKEN = Pattern.compile("[A-Za-z][A-Za-z-]*\\s+(\\S+)");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");
    private static final Pattern ASSIGNED = Pattern.compile("=\\s*([^\\s;,&\"']+)");

    /** Common values, which are not redacted. */
    private static final Set<String> SWITCHES = Set.of("true", "false", "none", "auto", "null");

    /** Common parts of URLs and paths, which are not redacted. */
    private static final Set<String> COMMON = Set.of(
            "localhost",
            ".json",
            ".ndjson",
            "127.0.0.1",
            "0.0.0.0",
            "_bulk",
            "loki",
            "push",
            "services",
            "service",
            "hooks",
            "webhook",
            "webhooks",
            "collector",
            "event",
            "events",
            "ingest",
            "insert",
            "logs",
            "post",
            "/var/log",
            "/var/lib",
            "/var/tmp",
            "/var/run",
            "/etc/ssl",
            "/etc/pki",
            "/etc/millrace",
            "/var/log/millrace",
            "/var/lib/millrace",
            "/run/secrets");

    private SecretForms() {}

    /**
     * A form to search for.
     *
     * @param encoded true for a part of a Base64 text, which is redacted completely
     */
    record Form(String text, boolean encoded) {}

    /** True if the text is distinguishable from ordinary text. */
    static boolean isDistinct(String value) {
        String bare = value.strip();
        return bare.length() >= Secrets.MIN_LENGTH
                && !NUMBER.matcher(bare).matches()
                && !SWITCHES.contains(bare.toLowerCase(Locale.ROOT));
    }

    /** All forms of a secret; none if it is too short. */
    static Set<Form> of(String value) {
        Set<String> parts = new HashSet<>();
        split(value, parts, 0);
        Set<Form> forms = new HashSet<>();
        for (String part : parts) {
            written(part, forms);
            encoded(part, forms);
        }
        return forms;
    }

    private static void split(String value, Set<String> parts, int depth) {
        String bare = value.strip();
        if (!isDistinct(bare) || (depth > 0 && isCommon(bare))) {
            return;
        }
        boolean isNew = parts.add(bare);
        parts.add(value);
        if (!isNew || depth >= MAX_DEPTH) {
            return;
        }
        each(value.split("\\R"), parts, depth);
        each(value.split(","), parts, depth);
        // A template: the text between its fields.
        each(value.split("\\{[^{}]*}"), parts, depth);
        for (Pattern pattern : new Pattern[] {QUOTED, ASSIGNED}) {
            for (Matcher matcher = pattern.matcher(value); matcher.find(); ) {
                String found = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                split(found, parts, depth + 1);
            }
        }
        for (Pattern pattern : new Pattern[] {HOST_AND_PORT, SCHEME_AND_TOKEN}) {
            Matcher matcher = pattern.matcher(bare);
            if (matcher.matches()) {
                split(matcher.group(1), parts, depth + 1);
            }
        }
        url(bare, parts, depth);
        path(bare, parts);
    }

    /** A part with few letters and digits, such as {@code .log}, is common. */
    private static boolean isCommon(String part) {
        return COMMON.contains(part)
                || part.chars().filter(Character::isLetterOrDigit).count() < Secrets.MIN_LENGTH;
    }

    private static void each(String[] pieces, Set<String> parts, int depth) {
        if (pieces.length > 1) {
            for (String piece : pieces) {
                split(piece, parts, depth + 1);
            }
        }
    }

    private static void url(String value, Set<String> parts, int depth) {
        Matcher url = URL.matcher(value);
        if (!url.matches()) {
            return;
        }
        for (int group = 1; group <= url.groupCount(); group++) {
            String part = url.group(group);
            if (part != null) {
                split(part, parts, depth + 1);
                each(part.split("[/:&=]"), parts, depth);
            }
        }
    }

    /** File errors name the directory that is missing or not accessible. */
    private static void path(String value, Set<String> parts) {
        if (!value.startsWith("/") || value.chars().anyMatch(Character::isWhitespace)) {
            return;
        }
        for (int slash = value.lastIndexOf('/'); slash > 0; slash = value.lastIndexOf('/', slash - 1)) {
            String parent = value.substring(0, slash);
            if (parent.lastIndexOf('/') > 0) {
                split(parent, parts, MAX_DEPTH);
            }
        }
        split(value.substring(value.lastIndexOf('/') + 1), parts, MAX_DEPTH);
    }

    /** The text unchanged, and encoded for URLs, JSON, one line, and ASCII. */
    private static void written(String part, Set<Form> forms) {
        String url = URLEncoder.encode(part, UTF_8);
        add(part, forms);
        add(url, forms);
        add(url.replace("+", "%20"), forms);
        add(url.replace("+", "%20").replace("%2F", "/").replace("%3A", ":"), forms);
        add(decoded(part), forms);
        String json = new String(JsonStringEncoder.getInstance().quoteAsString(part));
        add(json, forms);
        add(json.replace("/", "\\/"), forms);
        add(part.replaceAll("[\\s\\p{Cntrl}]+", " ").strip(), forms);
        add(part.replace("\n", "\\n"), forms);
        add(part.replace(':', '_'), forms);
        add(part.replaceAll("[^\\x00-\\x7f]", "?"), forms);
        // Standard error is searched byte by byte.
        add(new String(part.getBytes(UTF_8), ISO_8859_1), forms);
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return part;
        }
    }

    /** The Base64 characters that depend only on this part, for each of the three alignments. */
    private static void encoded(String part, Set<Form> forms) {
        byte[] bytes = part.getBytes(UTF_8);
        for (int before = 0; before < 3; before++) {
            byte[] padded = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, padded, before, bytes.length);
            String text = Base64.getEncoder().withoutPadding().encodeToString(padded);
            int begin = (8 * before + 5) / 6;
            String core = text.substring(begin, Math.min(8 * padded.length / 6, begin + MAX_LENGTH));
            if (core.length() >= Secrets.MIN_LENGTH) {
                forms.add(new Form(core, true));
                forms.add(new Form(core.replace('+', '-').replace('/', '_'), true));
            }
        }
    }

    private static void add(String text, Set<Form> forms) {
        if (isDistinct(text)) {
            for (int i = 0; i < text.length(); i += MAX_LENGTH) {
                forms.add(new Form(text.substring(i, Math.min(text.length(), i + MAX_LENGTH)), false));
            }
        }
    }

    /** The beginning of the Base64 text around a position. */
    static int encodedBegin(String text, int index) {
        int begin = index;
        while (begin > 0 && isEncoded(text.charAt(begin - 1))) {
            begin--;
        }
        return begin;
    }

    /** The end of the Base64 text around a position. */
    static int encodedEnd(String text, int index) {
        int end = index;
        while (end < text.length() && (isEncoded(text.charAt(end)) || text.charAt(end) == '=')) {
            end++;
        }
        return end;
    }

    private static boolean isEncoded(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/'
                || c == '-'
                || c == '_';
    }
}
