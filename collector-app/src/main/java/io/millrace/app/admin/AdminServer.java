package io.millrace.app.admin;

import static io.millrace.app.admin.Answers.JSON;
import static io.millrace.app.admin.Answers.TEXT;
import static io.millrace.app.admin.Answers.query;
import static io.millrace.app.admin.Answers.send;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.app.config.AdminSettings;
import io.millrace.app.config.ConfigException;
import io.millrace.app.doctor.Doctor;
import io.millrace.app.doctor.DoctorSettings;
import io.millrace.app.doctor.host.LocalHost;
import io.millrace.app.fault.Fault;
import io.millrace.app.report.Json;
import io.millrace.app.report.ReloadReport;
import io.millrace.collector.Collector;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.text.IpText;
import io.millrace.internal.transport.BindFailure;
import io.millrace.message.InputRules;
import io.millrace.message.NamedFilters;
import io.millrace.output.internal.tls.TlsContext;
import io.millrace.output.internal.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin HTTP server. There are as many threads as connections, so an incomplete request delays no other. It is
 * read-only, except for {@code POST /api/reload}, so no request can disturb receiving.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final int CONNECTIONS = 64;
    private static final String RELOAD = "/api/reload";
    private static final Pattern SOURCES_LIMIT = Pattern.compile("[1-9][0-9]{0,2}");

    private final Collector collector;
    private final AdminSettings settings;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final AdminGuard guard;
    private final FailureLog failures = new FailureLog(LOG);
    private final WebFiles files = new WebFiles();
    private final ServiceStatus status;
    private final MessagesPage messages;
    private final MeterBinder others;
    private final @Nullable Supplier<ReloadReport> reload;
    private final Map<String, Page> pages = new TreeMap<>();
    private @Nullable MetricsText metrics;

    /** Handles a request. */
    @FunctionalInterface
    private interface Page {
        void answer(HttpExchange exchange) throws IOException;
    }

    static {
        // System properties that the JDK's server reads once. Without the first, a response on a kept connection waits
        // 40 ms for the client's delayed acknowledgement. A request may take 10 s, which is checked every 5 s. A
        // response may take longer, because a tail never ends.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.timerMillis", "5000");
        System.setProperty("sun.net.httpserver.maxReqHeaders", "50");
        System.setProperty("sun.net.httpserver.maxReqHeaderSize", "16384");
        System.setProperty("jdk.httpserver.maxConnections", String.valueOf(CONNECTIONS));
    }

    /**
     * Starts the server.
     *
     * @param collector a started collector
     * @param status of the collector; the caller closes it
     * @param others further metrics, which are bound before each scrape
     * @param defaults the rules of inputs that have none
     * @param rules the rules by the name of the input
     * @param filters the filters with names
     * @param reload reloads the configuration; null without a file
     * @throws IOException if it cannot listen; the message has the remedy
     */
    public AdminServer(
            Collector collector,
            AdminSettings settings,
            ServiceStatus status,
            MeterBinder others,
            InputRules defaults,
            Map<String, InputRules> rules,
            Supplier<NamedFilters> filters,
            @Nullable Supplier<ReloadReport> reload)
            throws IOException {
        this.collector = collector;
        this.settings = settings;
        this.guard = new AdminGuard(settings);
        this.status = status;
        this.others = others;
        this.messages = new MessagesPage(collector, defaults, rules, filters, status::isStopping);
        this.server = listen(settings);
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(2, CONNECTIONS, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "millrace-admin-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        pages.put("/healthz", exchange -> send(exchange, 200, TEXT, "ok\n"));
        pages.put("/readyz", this::ready);
        pages.put("/metrics", this::scrape);
        pages.put(
                "/api/ledger",
                exchange -> send(exchange, 200, JSON, Json.ledgerOf(collector.ledger(), collector.outputs()) + "\n"));
        pages.put("/api/status", exchange -> send(exchange, 200, JSON, status.json() + "\n"));
        pages.put(
                "/api/history",
                exchange -> send(
                        exchange,
                        200,
                        JSON,
                        status.history(History.Span.of(query(exchange).get("of"))) + "\n"));
        pages.put("/api/sources", this::sources);
        pages.put("/api/messages", this::messages);
        this.reload = reload;
        DoctorPage doctor = new DoctorPage(collector);
        pages.put("/api/doctor", exchange -> send(exchange, 200, JSON, doctor.json() + "\n"));
        server.createContext("/", this::handle);
        server.start();
    }

    private static HttpServer listen(AdminSettings settings) throws IOException {
        if (settings.certificateFile() == null) {
            return bind(settings, HttpServer::create);
        }
        HttpsConfigurator configurator;
        try {
            configurator = new HttpsConfigurator(
                    TlsContext.of(new TlsSettings(null, settings.certificateFile(), settings.keyFile(), true)));
        } catch (IOException e) {
            throw new IOException("admin HTTP: " + e.getMessage(), e);
        }
        HttpsServer secure = bind(settings, HttpsServer::create);
        secure.setHttpsConfigurator(configurator);
        return secure;
    }

    @FunctionalInterface
    private interface Bind<S extends HttpServer> {
        S at(InetSocketAddress address, int backlog) throws IOException;
    }

    private static <S extends HttpServer> S bind(AdminSettings settings, Bind<S> bind) throws IOException {
        try {
            return bind.at(settings.address(), 0);
        } catch (IOException e) {
            String failure = BindFailure.ofTcp(settings.address(), e).getMessage();
            throw new IOException(
                    "admin HTTP " + failure + "; choose another address with --admin HOST:PORT, or --admin off", e);
        }
    }

    /** @throws IOException if the connection is to be closed */
    private void handle(HttpExchange exchange) throws IOException {
        if (!isBodyWhole(exchange)) {
            AdminGuard.headers(exchange);
            send(exchange, 400, TEXT, "the body of the request is incomplete, not in chunks, or longer than 64 KiB\n");
            exchange.getResponseBody().flush();
            // Closing the exchange would continue to read the body, which fails again.
            throw new IOException("the body of a request is incomplete");
        }
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            AdminGuard.headers(exchange);
            WebFiles.File file = files.get(path);
            Page page = pages.get(path);
            String refusal = guard.refusal(exchange, file != null || path.equals("/healthz") || path.equals("/readyz"));
            if (refusal != null) {
                if (guard.wantsToken()) {
                    exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                }
                send(exchange, guard.wantsToken() ? 401 : 403, TEXT, refusal + "\n");
            } else if (path.equals(RELOAD)) {
                reload(exchange);
            } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, TEXT, "only GET and HEAD\n");
            } else if (file != null) {
                send(exchange, 200, file.type(), file.bytes());
            } else if (page != null) {
                page.answer(exchange);
            } else {
                send(
                        exchange,
                        404,
                        TEXT,
                        "not found; there is / and " + String.join(", ", pages.keySet()) + ", and POST " + RELOAD
                                + "\n");
            }
        } catch (IOException clientWentAway) {
            LOG.debug("A request could not be answered", clientWentAway);
        } catch (RuntimeException | Error e) {
            // The JDK's server would swallow an error.
            if (!FatalErrors.report(e)) {
                failures.report("A request failed: {}", e.toString());
            }
        }
    }

    private void ready(HttpExchange exchange) throws IOException {
        List<String> problems = status.problems();
        List<String> lines = new ArrayList<>(problems.isEmpty() ? List.of("ready") : problems);
        // It receives all the same: a load balancer that took it out would help nobody.
        status.faults().stream()
                .filter(fault -> fault.level() != Fault.Level.NOTICE && !problems.contains(fault.text()))
                .forEach(fault -> lines.add("warning: " + (guard.wantsToken() ? fault.summary() : fault.line())));
        send(exchange, problems.isEmpty() ? 200 : 503, TEXT, String.join("\n", lines) + "\n");
    }

    private void scrape(HttpExchange exchange) throws IOException {
        send(exchange, 200, MetricsText.TYPE, metrics().scrape());
    }

    private synchronized MetricsText metrics() {
        MetricsText known = metrics;
        if (known == null) {
            known = new MetricsText(collector, others);
            metrics = known;
        }
        return known;
    }

    private void reload(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            send(exchange, 405, TEXT, "only POST\n");
        } else if (exchange.getRequestHeaders().containsKey("Origin")) {
            send(exchange, 403, TEXT, "not for pages in a browser\n");
        } else if (!isTrusted(exchange)) {
            send(
                    exchange,
                    403,
                    TEXT,
                    "only the service's user and root may read this: for other users, set an admin.token\n");
        } else if (reload == null) {
            send(
                    exchange,
                    409,
                    TEXT,
                    "the service runs without a configuration file: there is nothing to read again\n");
        } else {
            try {
                send(exchange, 200, JSON, reload.get().json() + "\n");
            } catch (ConfigException e) {
                send(
                        exchange,
                        422,
                        TEXT,
                        "not applied; the service continues with the previous configuration\n" + e.getMessage() + "\n");
            } catch (IllegalStateException stopped) {
                send(exchange, 503, TEXT, stopped.getMessage() + "\n");
            }
        }
    }

    /** True if the client has the token, or is the service's user or root on this host. */
    private boolean isTrusted(HttpExchange exchange) {
        return guard.wantsToken()
                || (settings.isLocal()
                        && LocalPeer.isOwnerOrRoot(exchange.getRemoteAddress(), exchange.getLocalAddress()));
    }

    private void sources(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange);
        String limit = query.getOrDefault("limit", "50");
        if (!SOURCES_LIMIT.matcher(limit).matches()) {
            send(exchange, 400, TEXT, "limit accepts a number from 1 to 999, not " + limit + "\n");
            return;
        }
        String text = query.getOrDefault("contains", "");
        boolean trusted = isTrusted(exchange);
        send(
                exchange,
                200,
                JSON,
                SourcesJson.of(collector.findSources(text, Integer.parseInt(limit), trusted), trusted) + "\n");
    }

    private void messages(HttpExchange exchange) throws IOException {
        if (isTrusted(exchange)) {
            messages.answer(exchange);
        } else {
            send(
                    exchange,
                    403,
                    TEXT,
                    "messages are shown to the user the service runs as, and to root: to show them to others, set an"
                            + " admin.token\n");
        }
    }

    public String url() {
        return (settings.certificateFile() == null ? "http://" : "https://") + IpText.of(server.getAddress());
    }

    @Override
    public void close() {
        status.stopping();
        server.stop(0);
        threads.shutdownNow();
        synchronized (this) {
            if (metrics != null) {
                metrics.close();
            }
        }
    }

    /**
     * Reads a chunked body; returns false if it is incomplete or too long. The JDK's server reads what a handler
     * leaves, and fails with an {@link IndexOutOfBoundsException} at an incomplete chunk.
     */
    private static boolean isBodyWhole(HttpExchange exchange) {
        if (!exchange.getRequestHeaders().containsKey("Transfer-Encoding")) {
            return true;
        }
        InputStream body = exchange.getRequestBody();
        try {
            return body.readNBytes(MAX_BODY_BYTES + 1).length <= MAX_BODY_BYTES;
        } catch (IOException | IndexOutOfBoundsException brokenOff) {
            return false;
        }
    }

    /** The doctor's findings about the running service, cached for one minute. Any thread. */
    private static final class DoctorPage {
        private static final long FRESH_NS = TimeUnit.MINUTES.toNanos(1);

        private final Collector collector;
        private @Nullable String last;
        private long lastAtNs;

        DoctorPage(Collector collector) {
            this.collector = collector;
        }

        synchronized String json() {
            String answer = last;
            if (answer == null || System.nanoTime() - lastAtNs > FRESH_NS) {
                DoctorSettings settings = DoctorSettings.within(
                        collector.settings(), collector.outputs().size(), collector.grantedReceiveBuffer());
                answer = Json.doctor(Doctor.examine(new LocalHost(), settings), settings);
                last = answer;
                lastAtNs = System.nanoTime();
            }
            return answer;
        }
    }
}
