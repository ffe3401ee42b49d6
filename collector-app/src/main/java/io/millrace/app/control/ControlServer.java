package io.millrace.app.control;

import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.handoff.DescriptorServer;
import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests of other commands, one after the other. */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    /** For a request, and for each part of the answer: other requests wait meanwhile. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int FAILED = 1;

    private final Map<String, Supplier<Answer>> requests;
    private final Map<String, Function<String, Answer>> named;
    private @Nullable DescriptorServer server;

    private ControlServer(Map<String, Supplier<Answer>> requests, Map<String, Function<String, Answer>> named) {
        this.requests = new TreeMap<>(requests);
        this.named = new TreeMap<>(named);
    }

    /** The Unix socket in a data directory. */
    static Path path(Path data) {
        return data.resolve("control");
    }

    /**
     * Starts the server; logs a warning if that is not possible.
     *
     * @param data the data directory, which this process holds
     * @param requests what can be asked, and who answers it
     * @param named what can be asked about something with a name, which follows after a blank
     */
    public static ControlServer start(
            Path data, Map<String, Supplier<Answer>> requests, Map<String, Function<String, Answer>> named) {
        ControlServer control = new ControlServer(requests, named);
        try {
            control.server = DescriptorServer.listen(path(data), "millrace-control", control::serve);
        } catch (IOException e) {
            LOG.warn(
                    "'millrace status', 'millrace reload' and 'millrace dead-letters retry' cannot reach this service: {}",
                    e.getMessage());
        }
        return control;
    }

    private void serve(DescriptorSocket peer) {
        try (peer) {
            String request = peer.receive(TIMEOUT_NS);
            Answer answer = answer(request);
            byte[] text = Secrets.known().redact(answer.text()).getBytes(StandardCharsets.UTF_8);
            peer.send(answer.code() + " " + text.length, TIMEOUT_NS);
            peer.send(text, TIMEOUT_NS);
        } catch (IOException e) {
            LOG.debug("A command did not wait for its answer", e);
        }
    }

    private Answer answer(String request) {
        int blank = Math.max(0, request.lastIndexOf(' '));
        Supplier<Answer> found = requests.get(request);
        Function<String, Answer> ofName = named.get(request.substring(0, blank));
        if (found == null && ofName == null) {
            return new Answer(
                    FAILED,
                    "the running service is of another version: it does not know '" + request + "', only "
                            + String.join(", ", requests.keySet())
                            + (named.isEmpty() ? "" : ", " + String.join(" NAME, ", named.keySet()) + " NAME") + "\n");
        }
        try {
            return found != null ? found.get() : Objects.requireNonNull(ofName).apply(request.substring(blank + 1));
        } catch (RuntimeException | Error e) {
            FatalErrors.rethrow(e);
            LOG.warn("The request '{}' failed", request, e);
            return new Answer(FAILED, e.getMessage() + "\n");
        }
    }

    @Override
    public void close() {
        DescriptorServer open = server;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("The control socket did not close well: {}", e.toString());
            }
        }
    }
}
