package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CERTIFICATE;
import static io.millrace.app.doctor.Diagnosis.CLOCK;
import static io.millrace.app.doctor.Diagnosis.DATA_FILE_SYSTEM;
import static io.millrace.app.doctor.Diagnosis.DATA_INODES;
import static io.millrace.app.doctor.Diagnosis.DATA_SPACE;
import static io.millrace.app.doctor.Diagnosis.DATA_SPEED;
import static io.millrace.app.doctor.Diagnosis.KERNEL_VERSION;
import static io.millrace.app.doctor.FindingSeverity.LOSES;
import static io.millrace.app.doctor.FindingSeverity.NOTE;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.collector.CertificateStatus;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Steering;
import io.millrace.collector.StreamInput;
import io.millrace.collector.TlsServerSettings;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;
import io.millrace.internal.tls.TlsServer;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of the kernel's version, the disk of the data directory, certificates, and the clock. */
final class HostChecks {
    private static final String RELEASE = "/proc/sys/kernel/osrelease";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*", Pattern.DOTALL);
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final Pattern NETWORK =
            Pattern.compile("nfs4?|cifs|smb3|smbfs|ceph|fuse\\..*|9p|virtiofs|lustre|gfs2|ocfs2|afs|glusterfs");
    private static final Pattern PASSING = Pattern.compile("tmpfs|ramfs|overlay|aufs");

    /** The free space that the journal writer requires: a reserve, and an allocation for it and for each shard. */
    private static final long RESERVE_BYTES = 80L << 20;

    private static final long SHARD_BYTES = 16L << 20;
    private static final long FEW_INODES = 1000;
    private static final double DAY_SECONDS = 86_400;
    private static final String TIMESYNC = "/run/systemd/timesync/synchronized";

    private HostChecks() {}

    /** Whether the kernel supports the configuration. */
    static void kernelVersion(Examination examination) {
        String text = examination.file(KERNEL_VERSION, RELEASE);
        if (text == null) {
            return;
        }
        Matcher matcher = VERSION.matcher(text.strip());
        if (!matcher.matches()) {
            examination.unavailable(KERNEL_VERSION, "", "no version: " + ProcText.oneLine(text), RELEASE);
            return;
        }
        int version = Integer.parseInt(matcher.group(1)) * 10_000 + Integer.parseInt(matcher.group(2));
        CollectorSettings collector = examination.settings().collector();
        List<String> lacks = new ArrayList<>();
        FindingSeverity severity = OK;
        if (version < 4_0012) {
            lacks.add("SO_MEMINFO: what is dropped at the sockets cannot be read with native and epoll");
            severity = NOTE;
        }
        if (version < 4_0005 && collector.get(CollectorSettings.STEERING) != Steering.HASH) {
            lacks.add("steering by BPF: receive.steering is refused");
            severity = RISK;
        }
        if (version < 5_0000 && collector.get(CollectorSettings.GRO)) {
            lacks.add("UDP_GRO: receive.gro is refused");
            severity = RISK;
        }
        String seen = "Linux " + text.strip() + (lacks.isEmpty() ? "" : " lacks " + String.join("; ", lacks));
        Remediation newer = Remediation.advice("a newer kernel, or other settings");
        examination.add(KERNEL_VERSION, severity, seen, RELEASE, newer);
    }

    /** The data directory's file system: its type and its free space. */
    static void dataDirectory(Examination examination) {
        Path directory =
                examination.host().nearest(examination.settings().collector().dataDirectory());
        fileSystem(examination, directory);
        String[] format = {"-f", "-c", "%S %a %c %d", directory.toString()};
        String text = examination.tool(DATA_SPACE, directory.toString(), "stat", format);
        if (text == null) {
            return;
        }
        String[] words = ProcText.words(text);
        Long block = ProcText.number(words[0]);
        Long free = words.length == 4 ? ProcText.number(words[1]) : null;
        Long inodes = words.length == 4 ? ProcText.number(words[2]) : null;
        Long freeInodes = words.length == 4 ? ProcText.number(words[3]) : null;
        String source = "stat -f " + directory;
        if (block == null || free == null || inodes == null || freeInodes == null) {
            examination.unavailable(DATA_SPACE, "", "stat prints something else: " + ProcText.oneLine(text), source);
            return;
        }
        space(examination, block * free, source);
        // File systems without an inode table report 0.
        String seen = inodes == 0
                ? "the file system makes inodes as it needs them"
                : Amounts.count(freeInodes) + " of " + Amounts.count(inodes) + " free";
        FindingSeverity severity = inodes == 0 || freeInodes >= FEW_INODES ? OK : RISK;
        Remediation delete = Remediation.advice("delete files, or take another disk (--data)");
        examination.add(DATA_INODES, severity, seen, source, delete);
    }

    private static void fileSystem(Examination examination, Path directory) {
        String mounts = examination.file(DATA_FILE_SYSTEM, MOUNTS);
        if (mounts == null) {
            return;
        }
        String type = typeOf(mounts, directory);
        if (type == null) {
            examination.unavailable(DATA_FILE_SYSTEM, "", directory + " is on no mount", MOUNTS);
            return;
        }
        boolean network = NETWORK.matcher(type).matches();
        boolean passing = PASSING.matcher(type).matches();
        String seen = directory + " is on " + type
                + (network ? ", a network file system" : passing ? ", which goes with the host or the container" : "");
        Remediation local = Remediation.advice("put the data directory (--data) on a local disk"
                + (type.equals("overlay") ? ": mount a volume there" : ""));
        examination.add(DATA_FILE_SYSTEM, network || passing ? RISK : OK, seen, MOUNTS, local);
    }

    /** The type of the last mount on the longest path above a directory. */
    private static @Nullable String typeOf(String mounts, Path directory) {
        String type = null;
        int longest = -1;
        for (String line : mounts.lines().toList()) {
            String[] words = ProcText.words(line);
            int dash = line.indexOf(" - ");
            if (words.length < 7 || dash < 0) {
                continue;
            }
            Path point = Path.of(words[4].replace("\\040", " "));
            if (directory.startsWith(point) && point.getNameCount() >= longest) {
                longest = point.getNameCount();
                type = ProcText.words(line.substring(dash + 3))[0];
            }
        }
        return type;
    }

    private static void space(Examination examination, long free, String source) {
        DoctorSettings settings = examination.settings();
        long need = RESERVE_BYTES + settings.collector().receivers() * SHARD_BYTES;
        double seconds =
                (double) Math.max(0, free - need) / (settings.rate() * DoctorSettings.JOURNAL_BYTES_PER_DATAGRAM);
        String seen = ByteSize.text(free) + " free: " + Amounts.duration(seconds) + " of " + settings.rateText()
                + ", if a datagram takes " + DoctorSettings.JOURNAL_BYTES_PER_DATAGRAM + " bytes"
                + (free < need ? "; the journal needs " + ByteSize.text(need) : "");
        FindingSeverity severity = free < need ? LOSES : settings.rateGiven() && seconds < DAY_SECONDS ? RISK : OK;
        Remediation room = Remediation.advice(
                "make room, have old files deleted (journal.retention), or take a larger disk (--data)");
        examination.add(DATA_SPACE, severity, seen, source, room);
    }

    /** The disk's write speed: the only check that writes. */
    static void diskSpeed(Examination examination) {
        DoctorSettings settings = examination.settings();
        if (!settings.diskTest()) {
            return;
        }
        Path directory = examination.host().nearest(settings.collector().dataDirectory());
        String source = "a file in " + directory + ", written, synced and deleted";
        Host.WriteSpeed speed;
        try {
            speed = examination.host().writeTest(directory);
        } catch (IOException e) {
            String why = e instanceof AccessDeniedException
                    ? "no permission to write to " + directory
                    : String.valueOf(e.getMessage());
            examination.unavailable(DATA_SPEED, "", why, source);
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
        boolean loses = speed.bytesPerSecond() < need && settings.rateGiven();
        FindingSeverity severity = loses ? LOSES : speed.bytesPerSecond() < 2 * need ? RISK : OK;
        Remediation faster = Remediation.advice("a faster disk for --data, which others do not write to");
        examination.add(DATA_SPEED, severity, seen, source, faster);
    }

    /** The certificates of inputs on TLS: whether they can be used, and for how long. */
    static void certificates(Examination examination) {
        for (StreamInput input : examination.settings().collector().streams()) {
            TlsServerSettings tls = input.settings().tls();
            if (tls != null) {
                certificate(examination, input.name(), tls);
            }
        }
    }

    private static void certificate(Examination examination, String input, TlsServerSettings tls) {
        String file = tls.certificateFile().toString();
        Instant expires;
        try {
            expires = TlsServer.check(input, tls);
        } catch (IOException e) {
            Remediation put =
                    Remediation.advice("put a certificate and its key there; a running service takes them by itself");
            examination.add(CERTIFICATE, RISK, "input " + input + ": " + e.getMessage(), file, put);
            return;
        }
        Duration left = Duration.between(Instant.now(), expires);
        String seen = "input " + input + ": "
                + (left.isNegative()
                        ? "expired at " + expires + ", " + left.negated().toDays() + " days ago"
                        : "valid until " + expires + ", for " + left.toDays() + " days");
        FindingSeverity severity = left.compareTo(CertificateStatus.SOON) > 0 ? OK : RISK;
        Remediation renew = Remediation.advice("renew it; a running service takes the new files by itself");
        examination.add(CERTIFICATE, severity, seen, file, renew);
    }

    /** Whether the clock is synchronised. */
    static void clock(Examination examination) {
        Host host = examination.host();
        Host.Answer chrony = host.run("chronyc", "-n", "tracking");
        String leap = chrony.text() == null ? null : ProcText.field(chrony.text(), "Leap status");
        if (leap != null) {
            boolean synchronised = !leap.equals("Not synchronised");
            clock(examination, synchronised, "chronyd says: leap status " + leap, "chronyc tracking");
            return;
        }
        if (!host.read(TIMESYNC).missing()) {
            clock(examination, true, "systemd-timesyncd has synchronised it", TIMESYNC);
            return;
        }
        Host.Answer timedate = host.run("timedatectl", "show", "-p", "NTPSynchronized");
        String text = timedate.text() == null ? "" : timedate.text().strip();
        if (text.startsWith("NTPSynchronized=")) {
            clock(examination, text.endsWith("=yes"), text, "timedatectl show");
            return;
        }
        String problems = (chrony.text() == null ? chrony.problem() : "chronyc prints no leap status") + "; "
                + (timedate.text() == null ? timedate.problem() : "timedatectl prints something else: " + text) + "; "
                + TIMESYNC + " is not there";
        examination.unavailable(CLOCK, "", problems, "chronyc, timedatectl, systemd-timesyncd");
    }

    private static void clock(Examination examination, boolean synchronised, String seen, String source) {
        Remediation synchronise = Remediation.advice(
                "on the host (a container has its clock): timedatectl set-ntp true, or install chrony");
        examination.add(CLOCK, synchronised ? OK : NOTE, seen, source, synchronise);
    }
}
