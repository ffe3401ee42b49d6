package io.millrace.app.command;

import io.millrace.app.control.ControlClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code millrace reload}: the running service reads its configuration file again. */
@Command(
        name = "reload",
        description = "Make the running service read its configuration file again, and print what has changed.",
        footer = {
            "",
            "Outputs, the policy and certificates change without a restart.",
            "Exit codes: 0 done, 1 no service runs on the data directory, 2 the file is invalid and nothing has changed.",
            "",
            "Examples:",
            "  millrace reload",
        })
public final class ReloadCommand extends DataOption implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        return StatusCommand.print(ControlClient.change(data(), "reload"));
    }
}
