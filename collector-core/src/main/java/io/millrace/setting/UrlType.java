package io.millrace.setting;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A URL. Its user, its query and its fragment are not printed. */
final class UrlType extends SettingType<URI> {
    private static final Pattern PARTS = Pattern.compile(
            "(?s)(?<origin>[^:/?#]*://(?:(?<user>[^/?#]*)@)?[^/?#]*)[^?#]*(?:\\?(?<query>[^#]*))?(?:#(?<fragment>.*))?");

    UrlType(String label, String takes) {
        super(label, takes);
    }

    @Override
    public URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            // The exception is neither quoted nor the cause: it contains the text.
            String where = e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1);
            throw new IllegalArgumentException("accepts " + takes() + ": " + e.getReason() + where);
        }
    }

    /** Passes on the user, the query and the fragment; of insertions all but those in the scheme and the host. */
    @Override
    public void secrets(String text, List<String> insertions, Consumer<String> found) {
        Matcher url = PARTS.matcher(text);
        if (!url.matches()) {
            return;
        }
        for (String group : List.of("user", "query", "fragment")) {
            String part = url.group(group);
            if (part != null) {
                found.accept(part);
                Stream.of(part.split("[:&=]")).forEach(found);
            }
        }
        String origin = url.group("origin");
        insertions.stream().filter(it -> !origin.contains(it)).forEach(found);
    }

    @Override
    public String shown(String text) {
        return text.replaceFirst("//[^/?#]*@", "//***@")
                .replaceFirst("(?s)\\?.*", "?***")
                .replaceFirst("(?s)#.*", "#***");
    }
}
