package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BenchMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String args) {
        return BenchMain.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args.split(" ", -1));
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : BenchMain.commandLine().getSubcommands().keySet()) {
            out.getBuffer().setLength(0);
            assertThat(bench(command + " --help")).as(command).isZero();
            assertThat(out.toString()).contains("Usage: millrace bench " + command, "Show this help and exit.");
        }
    }
}
