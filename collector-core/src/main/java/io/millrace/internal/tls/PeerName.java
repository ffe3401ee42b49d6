package io.millrace.internal.tls;

import io.millrace.collector.Network;
import java.net.IDN;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names of peers in one form, so that two texts of the same name or address are equal. */
public final class PeerName {
    private PeerName() {}

    /**
     * The canonical form: an address as in RFC 5952, IPv4-mapped IPv6 as IPv4; a host name in lower case and ASCII (RFC 5890 section
     * 2.3.2.1), without the dot at its end; any other name in lower case.
     */
    public static String canonical(String name) {
        String address = address(name);
        if (address != null) {
            return address;
        }
        boolean isHost = name.chars().noneMatch(c -> c == '@' || c == ':' || c == '/' || c == ' ');
        return (isHost ? host(name) : name).toLowerCase(Locale.ROOT);
    }

    private static String host(String name) {
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (bare.chars().allMatch(c -> c < 0x80)) {
            return bare;
        }
        try {
            String labels = bare.startsWith("*.") ? bare.substring(2) : bare;
            String ascii = IDN.toASCII(labels);
            // A peer chooses its name: letters that only resemble others, such as those of full width, stay as they
            // are.
            boolean isExact = IDN.toUnicode(ascii).equals(labels.toLowerCase(Locale.ROOT));
            return !isExact ? bare : bare.startsWith("*.") ? "*." + ascii : ascii;
        } catch (IllegalArgumentException noHostName) {
            return bare;
        }
    }

    /** The canonical form of an address, with or without brackets; null if the text is none. */
    public static @Nullable String address(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        return bare.contains("/") ? null : network(bare);
    }

    /** The canonical form of a network or an address; null if the text is neither. */
    public static @Nullable String network(String text) {
        try {
            return Network.parse(text).toString();
        } catch (IllegalArgumentException neither) {
            return null;
        }
    }
}
