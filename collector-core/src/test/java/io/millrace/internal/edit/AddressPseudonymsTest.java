package io.millrace.internal.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.InputRules;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPseudonymsTest {
    private static final String KEY = "0123456789abcdef";

    private static String edited(String message, MessageEdit... edits) {
        byte[] bytes = message.getBytes(UTF_8);
        JournalRecord record = new Editor(List.of(edits), false)
                .edit(new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                        .wrap(bytes, 0, bytes.length, 0));
        return new String(record.bytes(), record.begin(), record.end() - record.begin(), UTF_8);
    }

    private static String edited(String message) {
        return edited(message, AddressPseudonyms.of(KEY, null));
    }

    /** Computed as the documentation says. */
    private static String pseudonym(String address) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY.getBytes(UTF_8), "HmacSHA256"));
            byte[] hash = mac.doFinal(InetAddress.getByName(address).getAddress());
            return "ip-" + HexFormat.of().formatHex(hash, 0, 8);
        } catch (UnknownHostException | java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "src=192.0.2.5, | src=<192.0.2.5>,",
                "192.0.2.5 | <192.0.2.5>",
                "from 192.0.2.5:514. | from <192.0.2.5>:514.",
                "at 192.0.2.5. | at <192.0.2.5>.",
                "192.0.2.5.514 > 198.51.100.9.53 | <192.0.2.5>.514 > <198.51.100.9>.53",
                "outside:198.51.100.9/443 | outside:<198.51.100.9>/443",
                "{\"m\":\"a\\n192.0.2.5\\n2001:db8::1\"} | {\"m\":\"a\\n<192.0.2.5>\\n<2001:db8::1>\"}",
                "tab#011192.0.2.5 | tab#011<192.0.2.5>",
                "#0112001:db8::1 | #011<2001:db8::1>",
                "x\\u0027192.0.2.5 | x\\u0027<192.0.2.5>",
                "\\u003c2001:db8::1> | \\u003c<2001:db8::1>>",
                "192.000.002.005 | <192.0.2.5>",
                "[2001:db8::1]:514 | [<2001:db8::1>]:514",
                "fe80::1%eth0 | <fe80::1>%eth0",
                "from 2001:DB8:0:0::0:1: error | from <2001:db8::1>: error",
                "2001:db8::1.514 | <2001:db8::1>.514",
                "outside:2001:db8::5/443 | outside:<2001:db8::5>/443",
                "src:2001:db8:1:2:3:4:5:6 | src:<2001:db8:1:2:3:4:5:6>",
                "2001:db8:1:2:3:4:5:6:514 | <2001:db8:1:2:3:4:5:6>:514",
                "::ffff:192.0.2.5 | <192.0.2.5>",
                "::ffff:c000:205 | <192.0.2.5>",
                "64:ff9b::192.0.2.33 | <64:ff9b::c000:221>",
                "2001:db8:: | <2001:db8::>",
                "::1 | <::1>",
                "1::8 a:b:c:d:e:f:1.2.3.4 | <1::8> <a:b:c:d:e:f:102:304>",
            })
    void addressesAreReplaced(String message, String expected) {
        StringBuilder text = new StringBuilder(expected);
        for (int i = text.indexOf("<"); i >= 0; i = text.indexOf("<", i)) {
            int end = text.indexOf(">", i);
            text.replace(i, end + 1, pseudonym(text.substring(i + 1, end)));
        }
        assertThat(edited(message)).isEqualTo(text.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10:00:00",
                "00:11:22:33:44:55",
                "std::dec Foo::Bar x::1",
                "1.2.3",
                "1.2.3.256",
                "1.2.3.4444",
                ":: :",
                "1:2:3:4:5:6:7",
                "12345::1",
                "2026-11-25T10:00:00.123Z",
                "ip-0123456789abcdef",
            })
    void otherTextStays(String text) {
        assertThat(edited(text)).isEqualTo(text);
    }

    /** Each way to write an address has the pseudonym of the address. */
    @Test
    void randomAddressesAreFound() throws UnknownHostException {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(3) == 0 ? 4 : 16];
            random.nextBytes(bytes);
            for (int n = random.nextInt(8); n > 0 && bytes.length == 16; n--) {
                int group = random.nextInt(8);
                bytes[2 * group] = 0;
                bytes[2 * group + 1] = 0;
            }
            String full = InetAddress.getByAddress(bytes).getHostAddress();
            String text = bytes.length == 4 ? full : shortened(full, random);
            String between = List.of(" ", ",", "=", "[", "\"", "(", "/").get(random.nextInt(7));
            assertThat(edited("x" + between + text + between + "y"))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo("x" + between + pseudonym(full) + between + "y");
        }
    }

    /** With a double colon for some zeros, in upper case or with leading zeros. */
    private static String shortened(String full, Random random) {
        String[] groups = full.split(":", -1);
        int begin = random.nextInt(8);
        int end = begin;
        while (end < 8 && groups[end].equals("0") && random.nextInt(8) > 0) {
            end++;
        }
        StringJoiner before = new StringJoiner(":");
        StringJoiner after = new StringJoiner(":");
        for (int i = 0; i < 8; i++) {
            String group = random.nextInt(4) == 0 ? "0".repeat(4 - groups[i].length()) + groups[i] : groups[i];
            group = random.nextInt(4) == 0 ? group.toUpperCase(java.util.Locale.ROOT) : group;
            if (i < begin) {
                before.add(group);
            } else if (i >= end) {
                after.add(group);
            }
        }
        return end > begin ? before + "::" + after : begin == 0 ? after.toString() : before + ":" + after;
    }

    @Test
    void appliesToAFieldOrToWhatWasSet() {
        String message = "<13>Nov 25 10:00:00 192.0.2.5 app: src=192.0.2.6 dst=192.0.2.7";
        assertThat(edited(message, AddressPseudonyms.of(KEY, "hostname")))
                .isEqualTo(message.replace("192.0.2.5", pseudonym("192.0.2.5")));
        assertThat(edited(message, AddressPseudonyms.of(KEY, "fields.src")))
                .isEqualTo(message.replace("192.0.2.6", pseudonym("192.0.2.6")));
    }

    @Test
    void keyDecides() {
        assertThat(edited("192.0.2.5", AddressPseudonyms.of(KEY + "x", null))).isNotEqualTo(edited("192.0.2.5"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressPseudonyms.of("tooshort-secret", null))
                .withMessage("key accepts a secret text of 16 characters or more");
    }
}
