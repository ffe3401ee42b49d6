package io.millrace.internal.linux;

import java.io.IOException;

/** The limit of open files of this process ({@code RLIMIT_NOFILE}). Sockets count as files. */
public final class FileLimit {
    private static final String LINE = "Max open files ";
    private static final int SOFT = 3;

    private FileLimit() {}

    /** The limit in effect, which the JVM has raised to the hard limit; {@link Long#MAX_VALUE} if there is none, or it is unknown. */
    public static long ofSelf() {
        try {
            return parse(ProcFile.ofSelf("limits"));
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The limit of a text such as {@code /proc/self/limits}. */
    static long parse(String limits) {
        String line =
                limits.lines().filter(each -> each.startsWith(LINE)).findFirst().orElse("");
        String[] words = ProcText.words(line);
        Long limit = words.length > SOFT ? ProcText.number(words[SOFT]) : null;
        return limit == null ? Long.MAX_VALUE : limit;
    }
}
