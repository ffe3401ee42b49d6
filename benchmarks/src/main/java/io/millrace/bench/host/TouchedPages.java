package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory pages that a process touched in a time, in KiB, as the kernel marks them ({@code proc(5)}, clear_refs and Referenced of
 * smaps). A page of a file, such as a library, may count because another process that had it has ended meanwhile.
 *
 * @param files pages of files: libraries, the class archive, the journal
 * @param code pages that can be executed and are of no file: compiled code
 * @param other all other pages: heap, stacks, memory of libraries
 */
public record TouchedPages(long files, long code, long other) {
    /** Address range, permissions, offset, device, inode and name of a mapping. */
    private static final Pattern MAPPING = Pattern.compile("[0-9a-f]+-[0-9a-f]+ (\\S+) \\S+ \\S+ (\\d+) *.*");

    private static final Pattern REFERENCED = Pattern.compile("Referenced: +(\\d+) kB");

    private static final String CLEAR_PTES = "1";

    /** Looks what a process touches within a time. */
    public static TouchedPages within(long pid, long millis) throws IOException, InterruptedException {
        Path proc = Path.of("/proc/" + pid);
        try {
            Files.writeString(proc.resolve("clear_refs"), CLEAR_PTES);
        } catch (IOException e) {
            throw new IOException(
                    "this kernel does not tell touched pages (CONFIG_PROC_PAGE_MONITOR), or does not allow it: "
                            + e.getMessage(),
                    e);
        }
        Thread.sleep(millis);
        return of(ProcFile.text(proc.resolve("smaps")).lines().toList());
    }

    /** Sums up the lines of smaps. */
    static TouchedPages of(List<String> smaps) {
        long files = 0;
        long code = 0;
        long other = 0;
        boolean isFile = false;
        boolean isCode = false;
        for (String line : smaps) {
            Matcher mapping = MAPPING.matcher(line);
            Matcher referenced = REFERENCED.matcher(line);
            if (mapping.matches()) {
                isFile = !mapping.group(2).equals("0");
                isCode = mapping.group(1).contains("x");
            } else if (referenced.matches()) {
                long kib = Long.parseLong(referenced.group(1));
                files += isFile ? kib : 0;
                code += !isFile && isCode ? kib : 0;
                other += !isFile && !isCode ? kib : 0;
            }
        }
        return new TouchedPages(files, code, other);
    }

    /** All pages, in KiB. */
    public long sum() {
        return files + code + other;
    }
}
