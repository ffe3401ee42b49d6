package io.millrace.app.command;

import io.millrace.app.report.BuildInfo;
import io.millrace.app.report.Node;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** {@code millrace version}: prints the version. */
@Command(
        name = "version",
        description = "Print what this build is, the Java it runs on, and whether the native module works here.",
        footer = {"", "Examples:", "  millrace version", "  millrace version --json | jq -r .commit"})
public final class VersionCommand extends HelpOption implements Runnable, IVersionProvider {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public void run() {
        BuildInfo build = BuildInfo.read();
        if (json) {
            System.out.println(json(build, BuildInfo.nativeProblem()));
        } else {
            for (String line : getVersion()) {
                System.out.println(line);
            }
        }
    }

    @Override
    public String[] getVersion() {
        String problem = BuildInfo.nativeProblem();
        return new String[] {
            "millrace " + BuildInfo.read().text(),
            "Java " + Runtime.version() + ", " + System.getProperty("java.vendor"),
            "native module: " + (problem == null ? "yes" : "no: " + problem)
        };
    }

    static String json(BuildInfo build, @Nullable String nativeProblem) {
        return new Node()
                .put("version", build.version())
                .put("commit", build.commit().equals(BuildInfo.UNKNOWN) ? null : build.commit())
                .put("dirty", build.dirty())
                .put("buildJava", build.java())
                .put("java", Runtime.version())
                .put("native", nativeProblem == null)
                .put("nativeProblem", nativeProblem)
                .json();
    }
}
