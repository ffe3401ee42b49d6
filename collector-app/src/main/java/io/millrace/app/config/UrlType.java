package io.millrace.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A value that is a URL. Its user and its query are not printed. */
final class UrlType extends ValueType<URI> {
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
            throw new IllegalArgumentException("takes " + takes() + ": " + e.getReason() + where);
        }
    }

    /** Collects the user, the query and the fragment as secrets; of environment variables all but the scheme and the host. */
    @Override
    void secrets(Tree tree, Consumer<String> found) {
        if (!(tree instanceof Tree.Scalar scalar)) {
            return;
        }
        Matcher url = PARTS.matcher(scalar.text());
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
        scalar.variables().stream().filter(it -> !origin.contains(it)).forEach(found);
    }

    @Override
    String shown(String text) {
        return text.replaceFirst("//[^/?#]*@", "//***@")
                .replaceFirst("(?s)\\?.*", "?***")
                .replaceFirst("(?s)#.*", "#***");
    }
}
