package io.millrace.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** A value that is a URL. What comes after a question mark is not printed, nor is what stands before an at sign. */
final class UrlType extends ValueType<URI> {
    UrlType(String label, String takes) {
        super(label, takes);
    }

    @Override
    public URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            // Without its message, and not as a cause: both hold the text.
            String where = e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1);
            throw new IllegalArgumentException("takes " + takes() + ": " + e.getReason() + where);
        }
    }

    @Override
    @Nullable
    URI bind(Tree tree, Complaints complaints) {
        if (tree instanceof Tree.Scalar scalar) {
            return bindText(scalar, complaints);
        }
        if (!(tree instanceof Tree.Broken)) {
            complaints.add(tree.mark(), "takes " + takes() + ", not " + Tree.describe(tree));
        }
        return null;
    }

    @Override
    String shown(String text) {
        return text.replaceFirst("//[^/?#]*@", "//***@").replaceFirst("\\?.*", "?***");
    }
}
