package io.millrace.app.fault;

import io.millrace.collector.CertificateStatus;
import io.millrace.collector.SourcesStatus;
import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamCounters.SenderNotice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The faults of receivers, certificates and sources. */
final class InputFaults {
    private InputFaults() {}

    static List<Fault> notReceiving(List<String> problems) {
        return problems.stream()
                .map(problem -> new Fault(FaultKind.NOT_RECEIVING, "service", Fault.Level.FAILING, problem, null, null)
                        .ending(Fault.Ending.of("nothing was received for {time}: " + problem)))
                .toList();
    }

    /** Certificates that cannot be read, have expired, or expire soon. */
    static List<Fault> certificates(List<CertificateStatus> certificates, Instant now) {
        List<Fault> faults = new ArrayList<>();
        for (CertificateStatus certificate : certificates) {
            String problem = certificate.problem();
            if (problem != null) {
                faults.add(certificate(certificate, problem));
            } else if (certificate.expiresSoon(now)) {
                String text = String.format(
                        Locale.ROOT,
                        "the certificate of input %s expires in %d days, at %s",
                        certificate.input(),
                        Duration.between(now, certificate.expires()).toDays(),
                        certificate.expires());
                faults.add(certificate(certificate, text));
            }
        }
        return faults;
    }

    private static Fault certificate(CertificateStatus of, String summary) {
        return new Fault(
                FaultKind.CERTIFICATE,
                of.input(),
                Fault.Level.DEGRADED,
                summary,
                null,
                "renew or correct the files of certificate and key; the service takes them by itself",
                Fault.Ending.of("the certificate of input " + of.input() + " had to be renewed"));
    }

    /** Senders whose connections were refused or closed in the last minute, or who send what is no message. */
    static List<Fault> senders(List<SenderNotice> notices) {
        List<Fault> faults = new ArrayList<>();
        for (SenderNotice notice : notices) {
            String what = what(notice.reason());
            String text = String.format(
                    Locale.ROOT,
                    "input %s: %,d %s in the last minute, %,d of them from %s",
                    notice.input(),
                    notice.all(),
                    what,
                    notice.ofSource(),
                    notice.source());
            faults.add(new Fault(
                    FaultKind.SENDER,
                    notice.input() + " " + subject(notice.reason()),
                    Fault.Level.NOTICE,
                    text,
                    null,
                    remedy(notice.reason()),
                    Fault.Ending.most(
                            "input " + notice.input() + ": up to {amount} " + what + " per minute, the last ones from "
                                    + notice.source(),
                            notice.all())));
        }
        return faults;
    }

    private static String subject(StreamCounter reason) {
        return switch (reason) {
            case FRAMING_ERRORS -> "framing";
            case TLS_WAITS -> "tls_waits";
            default -> String.valueOf(reason.reason());
        };
    }

    private static String remedy(StreamCounter reason) {
        return switch (reason) {
            case REFUSED_MAX -> "raise maxConnections of the input, or set its idleTimeout";
            case REFUSED_PER_SOURCE ->
                "a relay or proxy needs a higher maxConnectionsPerSource; if it is neither, policy.deny refuses it";
            case REFUSED_DESCRIPTORS -> "raise LimitNOFILE of the unit, or ulimit -n";
            case FRAMING_ERRORS, CLOSED_FRAMING, CLOSED_RELP_FRAME ->
                "nothing is lost that was understood; correct the framing or the protocol there: the log has the bytes";
            case CLOSED_PROXY_HEADER -> "correct proxyProtocol here, or the proxy";
            case CLOSED_MEMORY, CLOSED_TLS_RECORDS, TLS_WAITS ->
                "look at that host; policy.deny refuses it if it means harm";
            default -> "the log says what to do";
        };
    }

    private static String what(StreamCounter reason) {
        return switch (reason) {
            case FRAMING_ERRORS -> "wrong octet counts";
            case TLS_WAITS -> "waiting TLS handshakes";
            case REFUSED_MAX, REFUSED_PER_SOURCE, REFUSED_DESCRIPTORS ->
                "refused connections (" + reason.reason() + ")";
            default -> "closed connections (" + reason.reason() + ")";
        };
    }

    /** Silent sources: those of the list by address, and one fault for all others. */
    static List<Fault> silent(@Nullable SourcesStatus sources) {
        if (sources == null) {
            return List.of();
        }
        List<Fault> faults = new ArrayList<>();
        for (SourcesStatus.Silent silent : sources.silent()) {
            String name = "source " + silent.source();
            String since = " silent since " + silent.lastHeard().truncatedTo(ChronoUnit.SECONDS);
            faults.add(
                    silent(silent.source().toString(), name + " is" + since, Fault.Ending.of(name + " was" + since)));
        }
        long others = sources.silentCount() - sources.silent().size();
        if (others > 0) {
            faults.add(silent(
                    Fault.OTHERS,
                    String.format(Locale.ROOT, "%,d more sources are silent", others),
                    Fault.Ending.most("up to {amount} more sources were silent", others)));
        }
        return faults;
    }

    private static Fault silent(String subject, String summary, Fault.Ending ending) {
        return new Fault(
                FaultKind.SOURCE_SILENT,
                subject,
                Fault.Level.NOTICE,
                summary,
                null,
                "look at the source, its network and its firewall",
                ending);
    }
}
