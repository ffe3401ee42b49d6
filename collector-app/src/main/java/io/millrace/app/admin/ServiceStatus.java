package io.millrace.app.admin;

import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultFinder;
import io.millrace.app.fault.FaultKind;
import io.millrace.app.report.HostName;
import io.millrace.collector.Collector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The status of the running service, with the history of its counters: for admin HTTP and for {@code millrace status}. Any thread. */
public final class ServiceStatus implements AutoCloseable {
    private final Collector collector;
    private final History history;
    private final FaultFinder finder;
    private final StatusJson json;
    private final StatusText text;
    private volatile boolean stopping;

    /**
     * Starts to sample the counters.
     *
     * @param collector a started collector
     * @param version of Millrace
     * @param maxLag the age from which an undelivered datagram of an output is a fault
     */
    public ServiceStatus(Collector collector, String version, Duration maxLag) {
        this.collector = collector;
        this.history =
                new History(collector, new HistoryFile(collector.settings().dataDirectory()));
        this.finder =
                new FaultFinder(collector, history::lostInMinute, history::lost, history::rejectedInMinute, maxLag);
        this.json = new StatusJson(collector, history, version, HostName.get());
        this.text = new StatusText(collector, history, version);
        history.start();
    }

    /** The service stops from now on. */
    public void stopping() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Why the service is not ready; empty if it is. */
    List<String> problems() {
        return stopping ? List.of("stopping") : collector.problems();
    }

    /** Changes the age from which an undelivered datagram of an output is a fault. */
    public void maxLag(Duration age) {
        finder.maxLag(age);
    }

    /** What is wrong, the worst first. */
    public List<Fault> faults() {
        if (!stopping) {
            return finder.find();
        }
        List<Fault> faults = new ArrayList<>();
        faults.add(new Fault(FaultKind.NOT_RECEIVING, "service", Fault.Level.FAILING, "stopping", null, null));
        faults.addAll(finder.find());
        return faults;
    }

    /** The answer of {@code /api/status}. */
    public String json() {
        String state = stopping ? "stopping" : collector.problems().isEmpty() ? "ready" : "notReady";
        return json.status(state, collector.problems(), collector.warnings(), faults());
    }

    /** One screen for people. */
    public String text() {
        return text.page(problems().isEmpty(), faults());
    }

    /** The process, its state, and what is wrong: what {@code millrace ledger} prints above the ledger. */
    public String health() {
        List<Fault> faults = faults();
        return "service: process " + ProcessHandle.current().pid() + ", "
                + StatusText.state(problems().isEmpty(), faults) + StatusText.silent(collector.sources())
                + System.lineSeparator() + StatusText.faults(faults);
    }

    String history(History.Span span) {
        return json.history(span);
    }

    @Override
    public void close() {
        history.close();
    }
}
