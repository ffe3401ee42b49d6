package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CERTIFICATE;

import io.millrace.collector.CertificateStatus;
import io.millrace.collector.StreamInput;
import io.millrace.collector.TlsServerSettings;
import io.millrace.internal.tls.TlsServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Check of the certificates of inputs on TLS: whether they can be used, and for how long. */
final class CertificateCheck {
    private CertificateCheck() {}

    static void look(Examination examination) {
        for (StreamInput input : examination.settings().collector().streams()) {
            TlsServerSettings tls = input.settings().tls();
            if (tls != null) {
                look(examination, input.name(), tls);
            }
        }
    }

    private static void look(Examination examination, String input, TlsServerSettings tls) {
        String file = tls.certificateFile().toString();
        Instant expires;
        try {
            expires = TlsServer.check(input, tls);
        } catch (IOException e) {
            examination.add(
                    CERTIFICATE,
                    FindingSeverity.RISK,
                    "input " + input + ": " + e.getMessage(),
                    file,
                    Remediation.advice("put a certificate and its key there; a running service takes them by itself"));
            return;
        }
        Duration left = Duration.between(Instant.now(), expires);
        String seen = "input " + input + ": "
                + (left.isNegative()
                        ? "expired at " + expires + ", " + left.negated().toDays() + " days ago"
                        : "valid until " + expires + ", for " + left.toDays() + " days");
        if (left.compareTo(CertificateStatus.SOON) > 0) {
            examination.ok(CERTIFICATE, seen, file);
        } else {
            examination.add(
                    CERTIFICATE,
                    FindingSeverity.RISK,
                    seen,
                    file,
                    Remediation.advice("renew it; a running service takes the new files by itself"));
        }
    }
}
