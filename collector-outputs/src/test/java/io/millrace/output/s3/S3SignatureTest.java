package io.millrace.output.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of Amazon's page "Transferring Payload in a Single Chunk (AWS Signature Version 4)". */
class S3SignatureTest {
    private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");
    private static final String HOST = "https://examplebucket.s3.amazonaws.com";
    private static final S3Credentials KEY =
            new S3Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null);
    private static final S3Signature SIGNATURE = new S3Signature(KEY, "us-east-1");

    @Test
    void signsAnObject() {
        String path = S3Signature.encode("/test$file.text");
        assertThat(path).isEqualTo("/test%24file.text");
        Map<String, String> headers = SIGNATURE.sign(
                "PUT",
                URI.create(HOST + path),
                Map.of("date", "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class", "REDUCED_REDUNDANCY"),
                "Welcome to Amazon S3.".getBytes(UTF_8),
                NOW);
        assertThat(headers)
                .containsEntry("x-amz-date", "20130524T000000Z")
                .containsEntry("host", "examplebucket.s3.amazonaws.com")
                .containsEntry(
                        "x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
                .containsEntry(
                        "authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                                + "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,"
                                + "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    }

    @Test
    void signsARange() {
        assertThat(signatureOf("/test.txt", Map.of("range", "bytes=0-9")))
                .endsWith("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @ParameterizedTest
    @CsvSource({
        "/?lifecycle=, fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "/?max-keys=2&prefix=J, 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    })
    void signsAQuery(String path, String signature) {
        assertThat(signatureOf(path, Map.of())).endsWith("Signature=" + signature);
    }

    @Test
    void signsTheTokenOfATemporaryKey() {
        S3Credentials temporary = new S3Credentials(KEY.accessKey(), KEY.secretKey(), "token");
        assertThat(new S3Signature(temporary, "us-east-1")
                        .sign("GET", URI.create(HOST + "/"), Map.of(), new byte[0], NOW))
                .containsEntry("x-amz-security-token", "token")
                .extractingByKey("authorization")
                .asString()
                .contains("x-amz-date;x-amz-security-token,");
        assertThat(temporary.toString()).isEqualTo("***");
    }

    @Test
    void encodesAllThatIsNotUnreserved() {
        assertThat(S3Signature.encode("a b/@other/fe80::1/~-._+\u00e4"))
                .isEqualTo("a%20b/%40other/fe80%3A%3A1/~-._%2B%C3%A4");
    }

    private static String signatureOf(String path, Map<String, String> headers) {
        return SIGNATURE
                .sign("GET", URI.create(HOST + path), headers, new byte[0], NOW)
                .getOrDefault("authorization", "");
    }
}
