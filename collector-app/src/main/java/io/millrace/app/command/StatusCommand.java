package io.millrace.app.command;

import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.control.NoAnswerException;
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
            "If no service runs, or it does not answer within two seconds, it prints the ledger from the files of the data"
                    + " directory. Exit code 1 then.",
            "",
            "Examples:",
            "  millrace status",
            "  millrace status --json | jq .outputs",
        })
public final class StatusCommand extends DataOption implements Callable<Integer> {
    @Option(names = "--json", description = "Print what /api/status of admin HTTP answers.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        try {
            return print(ControlClient.ask(data(), json ? "status json" : "status"));
        } catch (NoAnswerException e) {
            System.err.println("millrace: " + e.getMessage()
                    + (json ? ". 'millrace ledger --json' reads the files" : ". The ledger, from the files:"));
            if (!json) {
                System.out.print(LedgerFiles.read(openJournal(), null).page(data()));
                System.out.flush();
            }
            return 1;
        }
    }

    /** Prints an answer; returns the exit code. */
    static int print(Answer answer) {
        (answer.code() == 0 ? System.out : System.err).print(answer.text());
        System.out.flush();
        return answer.code();
    }
}
