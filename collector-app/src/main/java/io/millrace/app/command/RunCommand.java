package io.millrace.app.command;

import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.NamedSections;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.handoff.HandoffClient;
import io.millrace.app.handoff.ListenFds;
import io.millrace.app.handoff.WarmUp;
import io.millrace.app.service.FatalExit;
import io.millrace.app.service.Reload;
import io.millrace.app.service.ServiceRun;
import io.millrace.app.service.ServiceSettings;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.StreamInput;
import io.millrace.collector.TlsServerSettings;
import io.millrace.internal.text.NearestName;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.Transports;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace run}: runs the service. */
@Command(
        name = "run",
        modelTransformer = RunFlags.class,
        description = "Receive on UDP, TCP, TLS, RELP and Unix sockets and journal, until SIGTERM or SIGINT.",
        footer = {
            "",
            "Examples:",
            "  millrace run                                      UDP port 5514, journal in ./data",
            "  millrace run --listen 0.0.0.0:514 --listen [::1]:5514 --data /var/lib/millrace",
            "  millrace run --listen tcp://127.0.0.1:5514 --listen unixgram:///run/millrace/log",
            "  millrace run --listen tls://0.0.0.0:6514 --tls-certificate server.pem --tls-key server.key",
            "  millrace run --listen relp://0.0.0.0:2514",
            "  millrace run --receivers 4 --receive-buffer 256M --admin off",
            "  millrace run --config /etc/millrace/millrace.yaml",
            "",
            "Try it: logger -d -n 127.0.0.1 -P 5514 hello; then millrace read",
        })
public final class RunCommand extends HelpOption implements Callable<Integer> {
    private static final String CONFIG = "--config";
    private static final String NUMBER = "\\d{1,5}";

    /** What other receivers call it. */
    private static final Pattern PORT_OPTION = Pattern.compile("--?(port|p|udp|tcp|udp-port|tcp-port)(?:=(\\d{1,5}))?");

    private static final Pattern ADDRESS = Pattern.compile("[a-z]+://.*|.*:\\d{1,5}");

    @Option(
            names = CONFIG,
            paramLabel = "FILE",
            description = "The configuration file (docs/reference/configuration.md). Options win over what it says.")
    private @Nullable Path file;

    @Option(
            names = RunFlags.LISTEN,
            paramLabel = "ADDRESS",
            description = "Where to receive: HOST:PORT or udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT,"
                    + " relp://HOST:PORT, unix:///PATH, unixgram:///PATH; may be given again, and replaces all inputs of the file."
                    + " (default: [::]:5514, IPv4 included)")
    private List<String> listen = new ArrayList<>();

    @Option(
            names = RunFlags.TLS_CERTIFICATE,
            paramLabel = "FILE",
            description = "The certificate chain in PEM for each --listen tls://HOST:PORT or relp://HOST:PORT,"
                    + " the server's own first. Without it, relp:// has no TLS.")
    private @Nullable String tlsCertificate;

    @Option(
            names = RunFlags.TLS_KEY,
            paramLabel = "FILE",
            description = "The private key of that certificate, in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted.")
    private @Nullable String tlsKey;

    @Option(
            names = "--hot-restart",
            description =
                    "Take over the sockets and connections of the process that runs on the data directory, which then ends"
                            + " (docs/operate/restart.md). If there is none, start as usual.")
    private boolean hotRestart;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    /**
     * The option or setting that was likely meant by arguments that {@code run} does not take.
     *
     * @return the option with its value, or the setting; null if it cannot be guessed
     */
    public static @Nullable String meant(List<String> unmatched) {
        String first = unmatched.get(0);
        Matcher port = PORT_OPTION.matcher(first);
        if (port.matches()) {
            String next = unmatched.size() > 1 ? unmatched.get(1) : "";
            String number = port.group(2) != null ? port.group(2) : next.matches(NUMBER) ? next : "PORT";
            return RunFlags.LISTEN + " " + (port.group(1).startsWith("tcp") ? "tcp" : "udp") + "://0.0.0.0:" + number;
        }
        if (first.matches("-[cf]")) {
            return CONFIG + (unmatched.size() > 1 ? " " + unmatched.get(1) : " FILE");
        }
        if (first.startsWith("-")) {
            String name = first.replaceFirst("=.*", "");
            for (String option : new CommandLine(new RunCommand())
                    .getCommandSpec()
                    .optionsMap()
                    .keySet()) {
                if (NearestName.isSame(option, name)) {
                    return option;
                }
            }
            String path = NamedSections.pathOf(Config.description(OutputTypes.ALL), name.replaceFirst("^-+", ""));
            return path == null ? null : "the setting " + path + " of the file that " + CONFIG + " names";
        }
        if (first.matches(NUMBER)) {
            return RunFlags.LISTEN + " udp://0.0.0.0:" + first;
        }
        return (ADDRESS.matcher(first).matches() ? RunFlags.LISTEN : CONFIG) + " " + first;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        FatalExit.install();
        limitNameCache();
        Overrides overrides = RunFlags.overrides(spec.commandLine().getParseResult(), listen, tlsCertificate, tlsKey);
        ConfigLoader loader = new ConfigLoader(OutputTypes.ALL, System.getenv());
        Config config = loader.load(file, overrides);
        ServiceSettings.logWarnings(config);
        List<BoundSocket> passed =
                ListenFds.of(System.getenv(), ProcessHandle.current().pid());
        WarmUp.removeLeftovers();
        if (!hotRestart) {
            return serve(config, ServiceSettings.collector(config, passed), loader, overrides, null);
        }
        if (!passed.isEmpty()) {
            throw new IllegalArgumentException(
                    "--hot-restart takes the sockets of the process that runs, and LISTEN_FDS passes"
                            + " others: start with one of the two");
        }
        Transports.checkPassing(config.receive().get(CollectorSettings.TRANSPORT));
        try (HandoffClient from = HandoffClient.begin(config.data())) {
            if (from == null) {
                System.err.println("millrace: no process waits to be replaced in " + config.data() + ": starting");
                return serve(config, ServiceSettings.collector(config, List.of()), loader, overrides, null);
            }
            Collector collector = ServiceSettings.collector(config, from.sockets());
            from.check(collector.settings());
            checkCertificates(collector.settings());
            WarmUp.run(collector.settings());
            return serve(config, collector, loader, overrides, from);
        }
    }

    /** Before the running process stops: a certificate that cannot be used would end both. */
    private static void checkCertificates(CollectorSettings settings) throws IOException {
        for (StreamInput input : settings.streams()) {
            TlsServerSettings tls = input.settings().tls();
            if (tls != null) {
                var unused = TlsServer.check(input.name(), tls);
            }
        }
    }

    private int serve(
            Config config, Collector collector, ConfigLoader loader, Overrides overrides, @Nullable HandoffClient from)
            throws InterruptedException {
        Reload reload = file == null ? null : new Reload(() -> loader.load(file, overrides), collector, config);
        ServiceRun run = new ServiceRun(collector, config, reload, from);
        int code = run.run();
        List<BoundSocket> left = run.left();
        if (left == null) {
            return code;
        }
        System.err.println("millrace: the successor has ended: continuing with the sockets");
        Config now = current(config, loader, overrides);
        Collector next;
        try {
            next = ServiceSettings.collector(now, left);
        } catch (RuntimeException e) {
            // The file became invalid meanwhile; the settings of the running service are still valid.
            System.err.println("millrace: continuing with the configuration of the start: " + e.getMessage());
            now = config;
            next = ServiceSettings.collector(now, left);
        }
        return serve(now, next, loader, overrides, null);
    }

    /**
     * Outputs and policy may have changed since the start. If other sections changed as well, the settings of the start
     * are used.
     */
    private Config current(Config started, ConfigLoader loader, Overrides overrides) {
        try {
            Config now = loader.load(file, overrides);
            return started.needsRestart(now).isEmpty() ? now : started;
        } catch (ConfigException e) {
            return started;
        }
    }

    /**
     * Keeps the addresses of a host name for 1 s, unless the user says otherwise. By default the JVM does for 30 s, and a
     * destination that has moved is found that much later. Resolvers of the system have caches of their own, which know how
     * long an address is valid.
     */
    private static void limitNameCache() {
        String seconds = "networkaddress.cache.ttl";
        if (Security.getProperty(seconds) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
            Security.setProperty(seconds, "1");
        }
    }
}
