package io.millrace.bench.suite;

import io.millrace.bench.subject.Subject;
import io.millrace.bench.subject.Subjects;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code millrace bench receivers}: lists the receivers. */
@Command(name = "receivers", description = "List the receivers, and why some are not available on this host.")
public final class ReceiversCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        for (Subject subject : Subjects.of(Subjects.names())) {
            System.out.printf(
                    "%-18s %s%s%n",
                    subject.name(),
                    subject.description(),
                    subject.unavailable()
                            .map(why -> " [not available: " + why + "]")
                            .orElse(""));
        }
        return 0;
    }
}
