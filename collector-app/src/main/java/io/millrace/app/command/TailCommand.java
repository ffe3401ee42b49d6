package io.millrace.app.command;

import picocli.CommandLine.Command;

/** {@code millrace tail}: prints new messages, as {@code read --from end --follow} does. */
@Command(
        name = "tail",
        description =
                "Print messages as they arrive: the same as 'read --from end --follow', with all options of 'read'.",
        footer = {
            "",
            "Examples:",
            "  millrace tail",
            "  millrace tail --last 20",
            "  millrace tail --grep 'sshd.*Failed' --format json",
        })
public final class TailCommand extends ReadCommand {
    public TailCommand() {
        follow = true;
    }
}
