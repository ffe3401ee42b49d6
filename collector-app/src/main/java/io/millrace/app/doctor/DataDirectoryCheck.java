package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.DATA_FILE_SYSTEM;
import static io.millrace.app.doctor.Diagnosis.DATA_INODES;
import static io.millrace.app.doctor.Diagnosis.DATA_SPACE;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Check of the data directory's file system: its type and its free space. */
final class DataDirectoryCheck {
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final Pattern NETWORK =
            Pattern.compile("nfs4?|cifs|smb3|smbfs|ceph|fuse\\..*|9p|virtiofs|lustre|gfs2|ocfs2|afs|glusterfs");
    private static final Pattern PASSING = Pattern.compile("tmpfs|ramfs|overlay|aufs");

    /** The free space that the journal writer requires: a reserve, and an allocation for it and for each shard. */
    private static final long RESERVE_BYTES = 80L << 20;

    private static final long SHARD_BYTES = 16L << 20;
    private static final long FEW_INODES = 1000;
    private static final double DAY_SECONDS = 86_400;

    private DataDirectoryCheck() {}

    static void look(Examination examination) {
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
        inodes(examination, inodes, freeInodes, source);
    }

    private static void fileSystem(Examination examination, Path directory) {
        String mounts = examination.file(DATA_FILE_SYSTEM, MOUNTS);
        String type = mounts == null ? null : typeOf(mounts, directory);
        if (type == null) {
            if (mounts != null) {
                examination.unavailable(DATA_FILE_SYSTEM, "", directory + " is on no mount", MOUNTS);
            }
            return;
        }
        boolean network = NETWORK.matcher(type).matches();
        boolean passing = PASSING.matcher(type).matches();
        if (!network && !passing) {
            examination.ok(DATA_FILE_SYSTEM, directory + " is on " + type, MOUNTS);
            return;
        }
        examination.add(
                DATA_FILE_SYSTEM,
                FindingSeverity.RISK,
                directory + " is on " + type
                        + (network ? ", a network file system" : ", which goes with the host or the container"),
                MOUNTS,
                Remediation.advice("put the data directory (--data) on a local disk"
                        + (type.equals("overlay") ? ": mount a volume there" : "")));
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
                + ", if a datagram takes " + DoctorSettings.JOURNAL_BYTES_PER_DATAGRAM + " bytes";
        Remediation remediation = Remediation.advice(
                "make room, have old files deleted (journal.retention), or take a larger disk (--data)");
        if (free < need) {
            examination.add(
                    DATA_SPACE,
                    FindingSeverity.LOSES,
                    seen + "; the journal needs " + ByteSize.text(need),
                    source,
                    remediation);
        } else if (settings.rateGiven() && seconds < DAY_SECONDS) {
            examination.add(DATA_SPACE, FindingSeverity.RISK, seen, source, remediation);
        } else {
            examination.ok(DATA_SPACE, seen, source);
        }
    }

    /** File systems without an inode table report 0. */
    private static void inodes(Examination examination, long all, long free, String source) {
        String seen = all == 0
                ? "the file system makes inodes as it needs them"
                : Amounts.count(free) + " of " + Amounts.count(all) + " free";
        if (all == 0 || free >= FEW_INODES) {
            examination.ok(DATA_INODES, seen, source);
        } else {
            examination.add(
                    DATA_INODES,
                    FindingSeverity.RISK,
                    seen,
                    source,
                    Remediation.advice("delete files, or take another disk (--data)"));
        }
    }
}
