package io.millrace.internal.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first private key in a PEM file that is not encrypted, as PKCS#8 (RFC 5958 section 2), which the JDK reads: also one in PKCS#1 (RFC
 * 8017 appendix A.1.2) or in the form of SEC 1 (RFC 5915 section 3), which say the same without the algorithm.
 */
final class PrivateKeyPem {
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

    /** What {@code openssl ecparam -genkey} writes before the key. */
    private static final Pattern CURVE =
            Pattern.compile("-----BEGIN EC PARAMETERS-----([A-Za-z0-9+/=\\s]+)-----END EC PARAMETERS-----");

    private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int CONTEXT_0 = 0xa0;
    private static final int MAX_LENGTH_BYTES = 3;

    private PrivateKeyPem() {}

    /**
     * Finds a key.
     *
     * @return null if the text has no such key
     * @throws IOException if it has one that is damaged; the message continues a sentence and quotes nothing
     */
    static byte @Nullable [] pkcs8(byte[] pem) throws IOException {
        String text = new String(pem, ISO_8859_1);
        Matcher key = KEY.matcher(text);
        if (!key.find()) {
            return null;
        }
        byte[] der = decoded(key.group(2));
        return switch (key.group(1).strip()) {
            case "RSA" -> wrapped(RSA, der);
            case "EC" -> wrapped(concat(EC, curve(der, text)), der);
            default -> der;
        };
    }

    private static byte[] decoded(String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException("a private key that is damaged: " + e.getMessage(), e);
        }
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, concat(VERSION_0, element(SEQUENCE, algorithm), element(OCTET_STRING, key)));
    }

    /** The curve in an EC key, or beside it in the file. */
    private static byte[] curve(byte[] der, String text) throws IOException {
        byte[] members = content(der, 0, SEQUENCE);
        for (int at = 0; at < members.length; at = end(members, at)) {
            if ((members[at] & 0xff) == CONTEXT_0) {
                return content(members, at, CONTEXT_0);
            }
        }
        Matcher beside = CURVE.matcher(text);
        byte[] curve = beside.find() ? decoded(beside.group(1)) : new byte[0];
        if (curve.length == 0 || curve[0] != OBJECT_IDENTIFIER) {
            throw new IOException("a private key that does not say its curve");
        }
        return curve;
    }

    private static byte[] content(byte[] der, int at, int tag) throws IOException {
        if (at >= der.length || (der[at] & 0xff) != tag) {
            throw damaged();
        }
        return Arrays.copyOfRange(der, begin(der, at), end(der, at));
    }

    /** Where the content of an element begins. */
    private static int begin(byte[] der, int at) throws IOException {
        if (at + 1 >= der.length) {
            throw damaged();
        }
        int first = der[at + 1] & 0xff;
        int lengthBytes = first < 0x80 ? 0 : first & 0x7f;
        if (lengthBytes > MAX_LENGTH_BYTES || at + 2 + lengthBytes > der.length) {
            throw damaged();
        }
        return at + 2 + lengthBytes;
    }

    /** Where an element ends. */
    private static int end(byte[] der, int at) throws IOException {
        int begin = begin(der, at);
        int length = der[at + 1] & 0xff;
        if (length >= 0x80) {
            length = 0;
            for (int i = at + 2; i < begin; i++) {
                length = (length << 8) | (der[i] & 0xff);
            }
        }
        if (length > der.length - begin) {
            throw damaged();
        }
        return begin + length;
    }

    private static IOException damaged() {
        return new IOException("a private key that is damaged");
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = {(byte) (content.length >> 16), (byte) (content.length >> 8), (byte) content.length};
            int skipped = content.length >= 1 << 16 ? 0 : content.length >= 1 << 8 ? 1 : 2;
            out.write(0x80 | (length.length - skipped));
            out.write(length, skipped, length.length - skipped);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
