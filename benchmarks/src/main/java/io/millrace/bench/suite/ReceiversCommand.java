package io.millrace.bench.suite;

import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code millrace bench receivers}: what can be measured here. */
@Command(name = "receivers", description = "List the receivers that can be measured, and why others cannot here.")
public final class ReceiversCommand extends BenchHelpOption implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        for (Subject subject : Subjects.of(Subjects.names())) {
            System.out.printf(
                    "%-18s %s%s%n",
                    subject.name(),
                    subject.description(),
                    subject.unavailable().map(why -> " [not here: " + why + "]").orElse(""));
        }
        return 0;
    }
}
