package io.millrace.internal.edit;

import io.millrace.message.LineBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Replaces IP addresses by pseudonyms such as {@code ip-0f3c…}: the first 8 bytes of HMAC-SHA-256 of the address's 4 or 16 bytes. With the same
 * key an address has the same pseudonym, however it is written. Without the key nobody can find the address by trying all. Immutable: threads
 * can share it.
 */
public final class AddressPseudonyms extends MessageEdit {
    /** Each takes some microseconds. */
    private static final int MAX_ADDRESSES = 4096;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_KEY = 16;
    private static final int PSEUDONYM_BYTES = 8;
    private static final byte[] PREFIX = "ip-".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;
    private final EditTarget target;

    private AddressPseudonyms(SecretKeySpec key, EditTarget target) {
        this.key = key;
        this.target = target;
    }

    /**
     * Creates the edit.
     *
     * @param key a secret of 16 characters or more
     * @param field the field in which it applies; null for the whole message
     * @throws IllegalArgumentException if one of them is invalid; the message does not have the key
     */
    public static AddressPseudonyms of(String key, @Nullable String field) {
        if (key.length() < MIN_KEY) {
            throw new IllegalArgumentException("key accepts a secret text of " + MIN_KEY + " characters or more");
        }
        return new AddressPseudonyms(
                new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM), EditTarget.of(field));
    }

    /** What one thread needs to apply the edit. */
    static final class Hashing {
        private final IpAddresses addresses = new IpAddresses();
        private final Mac mac;
        private final byte[] hash;
        private final byte[] text = new byte[2 * PSEUDONYM_BYTES];

        private Hashing(SecretKeySpec key) {
            try {
                mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                hash = new byte[mac.getMacLength()];
            } catch (NoSuchAlgorithmException | InvalidKeyException e) {
                throw new IllegalStateException("Each JDK has " + ALGORITHM, e);
            }
        }

        private void append(LineBuffer out) {
            try {
                mac.update(addresses.address(), 0, addresses.addressLength());
                mac.doFinal(hash, 0);
            } catch (ShortBufferException e) {
                throw new IllegalStateException(e);
            }
            for (int i = 0; i < PSEUDONYM_BYTES; i++) {
                text[2 * i] = HEX[hash[i] >> 4 & 15];
                text[2 * i + 1] = HEX[hash[i] & 15];
            }
            out.append(PREFIX, 0, PREFIX.length).append(text, 0, text.length);
        }
    }

    Hashing hashing() {
        return new Hashing(key);
    }

    @Override
    void apply(Draft draft) {
        int found = 0;
        Places places = draft.find(target);
        byte[] bytes = draft.record().bytes();
        draft.rewrite();
        for (int i = 0; i < places.count(); i++) {
            if (IpAddresses.mayContain(bytes, places.begin(i), places.end(i))) {
                Hashing hashing = draft.hashing(this);
                IpAddresses addresses = hashing.addresses;
                addresses.wrap(bytes, places.begin(i), places.end(i));
                while (addresses.next()) {
                    if (++found > MAX_ADDRESSES) {
                        throw new IllegalArgumentException("it has more than " + MAX_ADDRESSES + " addresses");
                    }
                    hashing.append(draft.replace(addresses.begin(), addresses.end()));
                }
            }
        }
        draft.rewritten();
    }
}
