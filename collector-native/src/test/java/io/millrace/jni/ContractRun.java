package io.millrace.jni;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the contract of the transport native in this JVM. Exit code 0 if no test failed and nearly all of them ran. */
final class ContractRun {
    private ContractRun() {}

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(NativeContractTest.class))
                        .build(),
                listener);
        var summary = listener.getSummary();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        summary.printTo(out);
        summary.printFailuresTo(out);
        boolean good = summary.getTestsSucceededCount() >= 15 && summary.getTotalFailureCount() == 0;
        System.exit(good ? 0 : 1);
    }
}
