package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.DATA_SPEED;

import io.millrace.app.doctor.host.Host;
import io.millrace.internal.text.ByteSize;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Locale;

/** Check of the disk's write speed: the only check that writes. */
final class DiskSpeedCheck {
    private DiskSpeedCheck() {}

    static void look(Examination examination) {
        DoctorSettings settings = examination.settings();
        if (!settings.diskTest()) {
            return;
        }
        Path directory = examination.host().nearest(settings.collector().dataDirectory());
        String source = "a file in " + directory + ", written, synced and deleted";
        Host.WriteSpeed speed;
        try {
            speed = examination.host().writeTest(directory);
        } catch (AccessDeniedException e) {
            examination.unavailable(DATA_SPEED, "", "no permission to write to " + directory, source);
            return;
        } catch (IOException e) {
            examination.unavailable(DATA_SPEED, "", String.valueOf(e.getMessage()), source);
            return;
        }
        double need = (double) settings.rate() * DoctorSettings.JOURNAL_BYTES_PER_DATAGRAM;
        String seen = String.format(
                Locale.ROOT,
                "%s in %.1f s: %s/s; %s take %s",
                ByteSize.text(speed.bytes()),
                speed.ns() / 1e9,
                ByteSize.text((long) speed.bytesPerSecond()),
                settings.rateText(),
                ByteSize.text((long) need));
        Remediation remediation = Remediation.advice("a faster disk for --data, which others do not write to");
        if (speed.bytesPerSecond() < need) {
            examination.add(
                    DATA_SPEED,
                    settings.rateGiven() ? FindingSeverity.LOSES : FindingSeverity.RISK,
                    seen,
                    source,
                    remediation);
        } else if (speed.bytesPerSecond() < 2 * need) {
            examination.add(DATA_SPEED, FindingSeverity.RISK, seen, source, remediation);
        } else {
            examination.ok(DATA_SPEED, seen, source);
        }
    }
}
