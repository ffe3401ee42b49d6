package io.millrace.internal.linux;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CPU's line of {@code /proc/net/softnet_stat}: the packets it took from network interfaces. The counters have 32
 * bits.
 *
 * @param cpu the number of the CPU
 * @param packets packets processed
 * @param drops packets dropped because the backlog queue was full
 * @param squeezes rounds that ended because their budget was used up
 * @param flowLimit packets dropped by the flow limit; null if the kernel does not count them
 */
public record SoftnetStat(
        long cpu,
        long packets,
        long drops,
        long squeezes,
        @Nullable Long flowLimit) {
    private static final int FLOW_LIMIT = 10;
    private static final int CPU = 12;

    /**
     * Parses the text of the file.
     *
     * @throws IllegalArgumentException if a line has another form; the message is that line
     */
    public static List<SoftnetStat> parse(String text) {
        List<SoftnetStat> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] columns = ProcText.words(line);
            try {
                lines.add(new SoftnetStat(
                        // Older kernels do not write the number: their lines are in the order of the CPUs.
                        columns.length > CPU ? hex(columns[CPU]) : lines.size(),
                        hex(columns[0]),
                        hex(columns[1]),
                        hex(columns[2]),
                        columns.length > FLOW_LIMIT ? hex(columns[FLOW_LIMIT]) : null));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(line, e);
            }
        }
        return lines;
    }

    private static long hex(String number) {
        return Long.parseLong(number, 16);
    }
}
