package io.millrace.output.internal.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is hidden of a secret in a text, in every form, and what is left as it is. */
class SecretsTest {
    private final Secrets secrets = new Secrets();

    private String redact(String secret, String text) {
        secrets.add(secret);
        return secrets.redact(text);
    }

    @Test
    void textWithoutSecretsIsReturnedUnchanged() {
        String text = "nothing to hide";
        assertThat(secrets.redact(text)).isSameAs(text);
        assertThat(redact("s3cr3t", text)).isSameAs(text);
    }

    @Test
    void redactsEveryOccurrence() {
        assertThat(redact("s3cr3t", "s3cr3t, as3cr3tb S3CR3T s3cr3ts3cr3t s3cr3"))
                .isEqualTo("***, a***b *** *** s3cr3");
    }

    @Test
    void redactsOverlappingSecretsAsOne() {
        secrets.add("abcdef");
        secrets.add("defghi");
        secrets.add("abcd");
        assertThat(secrets.redact("xabcdefghix abcdx")).isEqualTo("x***x ***x");
    }

    @Test
    void redactsSecretsEncodedForUrlsAndJson() {
        String secret = "p\u00e4ss \"w+rd\"/%\\1";
        secrets.add(secret);
        String encoded = URLEncoder.encode(secret, UTF_8);
        for (String form : List.of(
                secret,
                encoded,
                encoded.replace("+", "%20"),
                encoded.toLowerCase(java.util.Locale.ROOT),
                "p\u00e4ss \\\"w+rd\\\"/%\\\\1",
                "p?ss \"w+rd\"/%\\1")) {
            assertThat(secrets.redact("GET /" + form + " HTTP")).as(form).isEqualTo("GET /*** HTTP");
        }
    }

    @Test
    void redactsBase64ThatContainsASecret() {
        secrets.add("hunter2/hunter3");
        for (String user : List.of("", "a:", "ab:", "abc:", "somebody-else:")) {
            byte[] bytes = (user + "hunter2/hunter3").getBytes(UTF_8);
            for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                assertThat(secrets.redact("got 'Basic " + encoder.encodeToString(bytes) + "' and no more"))
                        .isEqualTo("got 'Basic ***' and no more");
            }
        }
        assertThat(secrets.redact("Basic " + Base64.getEncoder().encodeToString("me:other-password".getBytes(UTF_8))))
                .doesNotContain("***");
    }

    @Test
    void redactsPartsOfAUrl() {
        secrets.add("https://me:passw0rd@hooks.example.com:8443/services/T0123/B4567?key=k3yk3y&x=1#frag");
        for (String part :
                List.of("passw0rd", "hooks.example.com", "/services/T0123/B4567", "T0123", "B4567", "k3yk3y")) {
            assertThat(secrets.redact("no <" + part + "> here")).as(part).isEqualTo("no <***> here");
        }
        assertThat(secrets.redact("services of localhost")).isEqualTo("services of localhost");
    }

    @Test
    void redactsPartsOfListsTemplatesAndLoginModules() {
        secrets.add("kafka1.example:9092, kafka2.example:9093");
        secrets.add("/srv/archive7/{date}/part-of-name-{hostname}.log");
        secrets.add("PlainLoginModule required username=\"us3r\" password=\"p4ssword\";");
        secrets.add("Bearer abcdef123");
        secrets.add("first line\nsecond line");
        assertThat(secrets.redact("kafka1.example/10.0.0.1 kafka2.example")).isEqualTo("***/10.0.0.1 ***");
        assertThat(secrets.redact("/srv/archive7/2026-11-24/part-of-name-h.log"))
                .isEqualTo("***2026-11-24***h.log");
        assertThat(secrets.redact("us3r or p4ssword")).isEqualTo("*** or ***");
        assertThat(secrets.redact("token abcdef123 is old")).isEqualTo("token *** is old");
        assertThat(secrets.redact("second line")).isEqualTo("***");
        assertThat(secrets.redact("first line second line")).isEqualTo("***");
    }

    @Test
    void doesNotRedactVeryShortSecrets() {
        for (String value : List.of("", "a", "abc", "12345", "true", "Auto", " x ", "none")) {
            assertThat(Secrets.canHide(value)).as(value).isFalse();
            String text = "abc a 12345 true auto none x";
            assertThat(redact(value, text)).isSameAs(text);
        }
        assertThat(Secrets.canHide("abcd")).isTrue();
        assertThat(Secrets.canHide("123456")).isTrue();
        assertThat(redact("123456", "pin 123456")).isEqualTo("pin ***");
    }

    @Test
    void redactsLongSecretsCompletely() {
        Random random = new Random(1);
        String secret = random.ints(20_000, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        assertThat(redact(secret, "x:" + secret + ".")).isEqualTo("x:***.");
    }

    @Test
    void redactsSubstitutedSegmentsOfRepeatedUrls() {
        String secret = "t0ken with blank";
        secrets.add(secret);
        URI uri = URI.create("http://h/" + URLEncoder.encode(secret, UTF_8).replace("+", "%20") + "/in");
        assertThat(secrets.redact(uri.toString())).isEqualTo("http://h/***/in");
        assertThat(secrets.redact(uri.getPath())).isEqualTo("/***/in");
    }
}
