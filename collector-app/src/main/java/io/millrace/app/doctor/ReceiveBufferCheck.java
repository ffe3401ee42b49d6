package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.RECEIVE_BUFFER;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Check of the time that a socket's buffer lasts at the rate. */
final class ReceiveBufferCheck {
    /**
     * The memory that the kernel charges for a datagram of up to about 200 bytes if the driver copies it to a buffer of
     * its size.
     */
    static final int SMALL_CHARGE = 768;

    /** The memory charged for a full MTU, and for any datagram if the driver uses half a page per packet. */
    static final int MTU_CHARGE = 2304;

    private static final String KEY = "net.core.rmem_max";
    private static final String PATH = "/proc/sys/net/core/rmem_max";
    private static final double SHORT_MS = 10;
    private static final double ENOUGH_MS = 50;

    private ReceiveBufferCheck() {}

    /** The buffer that the kernel grants or would grant: half of its count, because it doubles the request. */
    static @Nullable Long granted(Examination examination) {
        DoctorSettings settings = examination.settings();
        long asked = settings.collector().get(CollectorSettings.RECEIVE_BUFFER);
        if (settings.grantedReceiveBuffer() != null) {
            return Long.valueOf(settings.grantedReceiveBuffer());
        }
        Long most = ProcText.number(examination.host().read(PATH).text());
        if (most == null) {
            return null;
        }
        return most >= asked || (examination.process().running() && mayForce(examination)) ? asked : most;
    }

    private static boolean mayForce(Examination examination) {
        return !examination
                        .settings()
                        .collector()
                        .get(CollectorSettings.TRANSPORT)
                        .equals("nio")
                && Boolean.TRUE.equals(examination.process().has(examination.host(), ServiceProcess.CAP_NET_ADMIN));
    }

    static void look(Examination examination) {
        Long granted = granted(examination);
        if (granted == null) {
            var unused = examination.number(RECEIVE_BUFFER, PATH);
            return;
        }
        DoctorSettings settings = examination.settings();
        long asked = settings.collector().get(CollectorSettings.RECEIVE_BUFFER);
        double small = millis(granted, SMALL_CHARGE, settings.rate());
        double large = millis(granted, MTU_CHARGE, settings.rate());
        String seen = String.format(
                Locale.ROOT,
                "asked for %s a socket, granted %s: %s of %s, if each is charged with %d bytes (small ones), %s with %d (those of"
                        + " an MTU)",
                ByteSize.text(asked),
                ByteSize.text(granted),
                Amounts.millis(small),
                settings.rateText(),
                SMALL_CHARGE,
                Amounts.millis(large),
                MTU_CHARGE);
        if (granted < asked) {
            boolean loses = settings.rateGiven() && small < SHORT_MS;
            if (!examination.process().running() && mayForce(examination)) {
                seen += "; this process has CAP_NET_ADMIN and would get all, the service's user may not";
            }
            examination.add(
                    RECEIVE_BUFFER,
                    loses ? FindingSeverity.LOSES : FindingSeverity.RISK,
                    seen,
                    KEY,
                    Remediation.sysctl(KEY, asked));
        } else if (large < ENOUGH_MS) {
            examination.add(RECEIVE_BUFFER, FindingSeverity.RISK, seen, KEY, longer(examination));
        } else {
            examination.ok(RECEIVE_BUFFER, seen, KEY);
        }
    }

    private static double millis(long granted, int charge, long rate) {
        long datagrams = 2 * granted / charge;
        return 1000.0 * datagrams / rate;
    }

    /** A larger buffer, and the limit that the kernel needs for it. */
    private static Remediation longer(Examination examination) {
        long bytes = needed(examination.settings().rate());
        String advice = "receive.receiveBuffer: " + (bytes >> 20) + "M";
        Long most = ProcText.number(examination.host().read(PATH).text());
        return most == null || most >= bytes
                ? Remediation.advice(advice)
                : Remediation.sysctl(KEY, bytes).with(advice);
    }

    /** Twice the required size in whole MiB, at most 1 GiB. */
    private static long needed(long rate) {
        long bytes = (long) (2 * ENOUGH_MS / 1000 * rate * MTU_CHARGE / 2);
        return Math.min(1L << 30, (bytes + (1 << 20) - 1) >> 20 << 20);
    }
}
