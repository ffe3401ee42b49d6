package io.millrace.internal.tls;

import io.millrace.collector.CertificateStatus;
import io.millrace.collector.TlsServerSettings;
import io.millrace.collector.TlsServerSettings.ClientAuth;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.file.SmallFile;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of an input: its certificate, and who may connect. It reads its files again when they change, and new connections get the
 * new certificate; open ones continue with theirs. If new files cannot be used it continues with the old ones, and says so.
 *
 * <p>Any thread.
 */
public final class TlsServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsServer.class);
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** Suites with forward secrecy and authenticated encryption; the first that the client has too is taken. */
    private static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final long CHECK_SECONDS = 10;

    private final String input;
    private final TlsServerSettings settings;
    private final String[] suites;
    private final ScheduledThreadPoolExecutor executor;
    private volatile Loaded loaded;
    private volatile @Nullable String problem;
    private volatile List<FileTime> seen = List.of();

    /** What was read from the files. */
    private record Loaded(SSLContext context, X509Certificate own, Instant expires) {}

    private TlsServer(String input, TlsServerSettings settings) throws IOException {
        this.input = input;
        this.settings = settings;
        this.seen = times();
        this.loaded = load(input, settings);
        Set<String> supported =
                Set.of(loaded.context.getSupportedSSLParameters().getCipherSuites());
        this.suites = SUITES.stream().filter(supported::contains).toArray(String[]::new);
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "millrace-tls-" + input);
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Reads the files, and from then on looks for changes of them every {@value #CHECK_SECONDS} s.
     *
     * @param input the name of the input, for messages
     * @throws IOException if a file cannot be used; the message names it and says what it should be
     */
    public static TlsServer of(String input, TlsServerSettings settings) throws IOException {
        TlsServer server = new TlsServer(input, settings);
        server.warnIfExpired();
        var unused = server.executor.scheduleWithFixedDelay(
                FatalErrors.survivor("Input " + input + ": the check of its certificate", LOG, server::reloadIfChanged),
                CHECK_SECONDS,
                CHECK_SECONDS,
                TimeUnit.SECONDS);
        return server;
    }

    /**
     * Reads the files as {@link #of} does.
     *
     * @return when the server's certificate expires; may have passed
     * @throws IOException as {@link #of}
     */
    public static Instant check(String input, TlsServerSettings settings) throws IOException {
        return load(input, settings).expires;
    }

    private static Loaded load(String input, TlsServerSettings settings) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(PemFiles.keys(settings.certificateFile(), settings.keyFile()), trust(settings), null);
            X509Certificate own =
                    PemFiles.certificates(settings.certificateFile()).get(0);
            return new Loaded(context, own, own.getNotAfter().toInstant());
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException("TLS of input " + input + ": " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trust(TlsServerSettings settings)
            throws IOException, GeneralSecurityException {
        if (settings.clientAuth() == ClientAuth.NONE) {
            return null;
        }
        Path caFile = settings.clientCaFile();
        TrustManager chain = caFile == null ? new AnyChain() : PemFiles.trust(caFile)[0];
        return new TrustManager[] {chain};
    }

    /** Reads the files again if their times have changed. */
    private void reloadIfChanged() {
        if (!times().equals(seen)) {
            reload();
        }
    }

    /**
     * Reads the files again, whether they have changed or not. It holds no lock meanwhile: if two calls overlap, the older files may stay,
     * and their times, so that the next check finds the newer ones.
     */
    public void reload() {
        List<FileTime> now = times();
        try {
            Loaded next = load(input, settings);
            Loaded before = loaded;
            loaded = next;
            seen = now;
            problem = null;
            LOG.info(
                    "Input {} has {} certificate from {}, valid until {}",
                    input,
                    loaded.own.equals(before.own) ? "read again the same" : "a new",
                    settings.certificateFile(),
                    loaded.expires);
            warnIfExpired();
        } catch (IOException e) {
            seen = now;
            problem = e.getMessage();
            LOG.error(
                    "Input {} continues with its old certificate, valid until {}: {}",
                    input,
                    loaded.expires,
                    e.getMessage());
        }
    }

    /** An expired certificate is used: some clients do not check it, and the other inputs must start. */
    private void warnIfExpired() {
        if (loaded.expires.isBefore(Instant.now())) {
            LOG.error("Input {}: {}", input, expired(loaded));
        }
    }

    private String expired(Loaded files) {
        return "the certificate in " + settings.certificateFile() + " has expired at " + files.expires
                + ", so clients refuse it: put a new certificate and its key there";
    }

    private List<FileTime> times() {
        List<FileTime> times = new ArrayList<>();
        for (Path file : Arrays.asList(settings.certificateFile(), settings.keyFile(), settings.clientCaFile())) {
            times.add(file == null ? FileTime.fromMillis(0) : time(file));
        }
        return times;
    }

    private static FileTime time(Path file) {
        try {
            return SmallFile.inTime(file, () -> Files.getLastModifiedTime(file));
        } catch (IOException e) {
            return FileTime.fromMillis(-1);
        }
    }

    /** The name of the input. */
    public String input() {
        return input;
    }

    /** What is wrong with the files, or with the certificate in use; null if nothing is. */
    public @Nullable String problem() {
        String ofFiles = problem;
        Loaded inUse = loaded;
        return ofFiles != null
                ? ofFiles + "; the previous certificate stays in use"
                : inUse.expires.isBefore(Instant.now()) ? "input " + input + ": " + expired(inUse) : null;
    }

    /** The certificate in use, and the problem with it. */
    public CertificateStatus status() {
        return new CertificateStatus(input, loaded.expires, problem());
    }

    /** When the certificate in use expires. */
    public Instant expires() {
        return loaded.expires;
    }

    TlsServerSettings settings() {
        return settings;
    }

    /** A handler that decrypts one connection. */
    SslHandler newHandler() {
        SSLEngine engine = loaded.context.createSSLEngine();
        SSLParameters parameters = new SSLParameters(suites, PROTOCOLS);
        parameters.setUseCipherSuitesOrder(true);
        parameters.setNeedClientAuth(settings.clientAuth() == ClientAuth.REQUIRED);
        if (settings.clientAuth() == ClientAuth.OPTIONAL) {
            parameters.setWantClientAuth(true);
        }
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters);
        // Computes on the loop's thread: with an executor, the handler loses what a client sends before it closes.
        SslHandler handler = new SslHandler(new GuardedEngine(engine, System::nanoTime));
        // One timeout for all, from the beginning of the connection.
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /** How many bytes of a connection its handler has decrypted; -1 without one. */
    public static long decryptedBytes(ChannelPipeline pipeline) {
        SslHandler handler = pipeline.get(SslHandler.class);
        return handler != null && handler.engine() instanceof GuardedEngine engine ? engine.consumedBytes() : -1;
    }

    /** Checks the certificate of a client; returns its name, null if it has none. */
    @Nullable
    String checkPeer(SSLEngine engine) throws IOException {
        if (settings.clientAuth() == ClientAuth.NONE) {
            return null;
        }
        try {
            X509Certificate certificate = (X509Certificate) engine.getSession().getPeerCertificates()[0];
            // The JDK does not look at the dates of a certificate that is itself in the file of trusted ones.
            certificate.checkValidity();
            PeerCertificate peer = PeerCertificate.of(certificate);
            if (!settings.allowedPeers().isEmpty()
                    && settings.allowedPeers().stream().noneMatch(peer::is)) {
                throw new TlsFailure.NotAllowedException(peer.description());
            }
            return peer.name();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        } catch (GeneralSecurityException e) {
            throw new IOException("the client's certificate cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
