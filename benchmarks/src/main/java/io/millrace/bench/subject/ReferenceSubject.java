package io.millrace.bench.subject;

import io.millrace.bench.host.Programs;
import io.millrace.bench.reference.ReferenceReceivers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A reference receiver in a JVM of its own. */
record ReferenceSubject(ReferenceReceivers receiver) implements Subject {
    @Override
    public boolean runsOnJvm() {
        return true;
    }

    @Override
    public String name() {
        return receiver.receiverName();
    }

    @Override
    public String description() {
        return receiver.description();
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.ofNullable(receiver.unavailableBecause());
    }

    @Override
    public String configuration(LaunchSettings launch) {
        return String.join(" ", command(launch));
    }

    private List<String> command(LaunchSettings launch) {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "io.millrace.bench.BenchMain",
                "reference",
                name(),
                "--listen",
                "127.0.0.1:0",
                "--out",
                launch.lines().toString(),
                "--receive-buffer",
                Integer.toString(launch.receiveBufferBytes())));
        return Programs.pinned(launch.cpus(), command);
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        return ProgramOutput.start(name(), command(launch), new ProgramOutput.Lines(launch.lines()));
    }
}
