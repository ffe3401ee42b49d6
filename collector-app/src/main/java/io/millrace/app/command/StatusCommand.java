package io.millrace.app.command;

import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace status}: health, rates, outputs and sources of the running service, on one screen. */
@Command(
        name = "status",
        description = "Print the status of the running service: health, rates, losses, outputs, top sources.",
        footer = {
            "",
            "Run it as the user of the service, or as root. It needs no admin HTTP.",
            "Exit code 1 if no service runs on the data directory.",
            "",
            "Examples:",
            "  millrace status --data /var/lib/millrace",
            "  millrace status --json | jq .outputs",
        })
public final class StatusCommand extends DataOption implements Callable<Integer> {
    @Option(names = "--json", description = "Print what /api/status of admin HTTP answers.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        return print(ControlClient.ask(data(), json ? "status json" : "status"));
    }

    /** Prints an answer; returns the exit code. */
    static int print(Answer answer) {
        (answer.code() == 0 ? System.out : System.err).print(answer.text());
        System.out.flush();
        return answer.code();
    }
}
