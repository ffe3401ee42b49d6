package io.millrace.internal.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search finds what the regular expression of the preset finds. */
class SecretSearchTest {
    private static final List<String> PIECES = List.of(
            "pass",
            "password",
            "Passwd",
            "passphrase",
            "PASSCODE",
            "pwd",
            "psk",
            "jwt",
            "secret",
            "token",
            "credential",
            "credentials",
            "api",
            "access",
            "private",
            "key",
            "_",
            "-",
            "authorization",
            "Authorization",
            "://",
            ":",
            "=",
            "/",
            "@",
            " ",
            " ",
            "\t",
            "\n",
            "\r",
            "\\",
            "\\",
            "\"",
            "\"",
            "'",
            ",",
            ";",
            "&",
            "[",
            "]",
            "{",
            "}",
            "a",
            "b1",
            "user",
            "Bearer",
            "\u00e9",
            "\ud83d\ude00");

    private static List<String> found(Search search, int groups) {
        List<String> all = new ArrayList<>();
        while (search.find()) {
            StringBuilder match = new StringBuilder();
            for (int group = 0; group <= groups; group++) {
                match.append(search.start(group))
                        .append('-')
                        .append(search.end(group))
                        .append(' ');
            }
            all.add(match.toString());
        }
        return all;
    }

    private static void assertSame(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        Matcher matcher = PresetSearch.SECRETS.pattern().matcher(bytes);
        int groups = PresetSearch.SECRETS.pattern().groupCount();
        assertThat(found(new SecretSearch(bytes), groups)).as(text).isEqualTo(found(Search.of(matcher), groups));
    }

    @Test
    void findsWhatTheExpressionFindsInRandomTexts() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.err.println("SecretSearchTest: seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int piece = random.nextInt(24); piece > 0; piece--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            assertSame(text.toString());
        }
    }

    /** Texts with few pieces have all their combinations: a key, a sign and what may follow. */
    @Test
    void findsWhatTheExpressionFindsAroundAKey() {
        List<String> around = List.of("", " ", "\\", "\"", "\\\"", "'", "x", "\n", "=", ":", "}");
        for (String key : List.of("token", "api_key", "authorization", "x://u")) {
            for (String before : around) {
                for (String sign : List.of("=", ":", " : ", "")) {
                    for (String after : around) {
                        for (String value : List.of(
                                "", "v", "v w", "\\\"v\\\"", "\"v\\\"w\"", "'v", "[v]", "v@h", " ", "\\", "\u00e9,")) {
                            assertSame(key + before + sign + after + value);
                        }
                    }
                }
            }
        }
    }
}
