package io.millrace.app.control;

import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.internal.journal.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks the service that uses a data directory. */
public final class ControlClient {
    private static final long SEND_NS = TimeUnit.SECONDS.toNanos(5);
    /** What takes longer belongs to another request, or the service hangs. */
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(2);

    /** Outputs that start and end may wait for their destinations. */
    private static final long CHANGE_NS = TimeUnit.SECONDS.toNanos(60);

    /** The request for the process id of the service, its state and what is wrong. */
    public static final String HEALTH = "health";

    /** The request for the settings in effect, as YAML without secrets. */
    public static final String CONFIG = "config";

    /** The request for the names of the outputs, one per line. */
    public static final String OUTPUTS = "outputs";

    private ControlClient() {}

    /** Whether a service uses a data directory: its process id, its state and what is wrong. The code is 0 if it says so itself. */
    public static Answer health(Path data) {
        try {
            String owner = DataDirectory.owner(data);
            if (owner == null) {
                return new Answer(1, "does not run");
            }
            Answer answer = ask(data, HEALTH);
            return answer.code() == 0
                    ? answer
                    : new Answer(
                            1,
                            "process " + owner + ", state unknown: "
                                    + answer.text().strip());
        } catch (NoAnswerException e) {
            return new Answer(1, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Answer(1, "unknown: " + e.getMessage());
        }
    }

    /**
     * Asks for what the service knows. It answers within two seconds, or not at all.
     *
     * @param data the data directory
     * @throws NoAnswerException if no service uses the data directory, or it does not answer
     * @throws IOException if it cannot be asked
     */
    public static Answer ask(Path data, String request) throws IOException {
        return ask(data, request, ANSWER_NS);
    }

    /**
     * Makes the service change something, which may take a minute.
     *
     * @param data the data directory
     * @throws IOException as {@link #ask}
     */
    public static Answer change(Path data, String request) throws IOException {
        return ask(data, request, CHANGE_NS);
    }

    private static Answer ask(Path data, String request, long withinNs) throws IOException {
        String owner = owner(data);
        if (owner != null && ProcessState.isStopped(owner)) {
            throw new NoAnswerException(ProcessState.text(owner, data), owner, null);
        }
        try (DescriptorSocket connection = connect(data)) {
            connection.send(request, SEND_NS);
            String[] head = receiveHead(connection, data, withinNs);
            byte[] text = connection.receive(Integer.parseInt(head[1]), SEND_NS);
            return new Answer(Integer.parseInt(head[0]), new String(text, StandardCharsets.UTF_8));
        }
    }

    private static String[] receiveHead(DescriptorSocket connection, Path data, long withinNs) throws IOException {
        try {
            return connection.receive(withinNs).split(" ", 2);
        } catch (IOException e) {
            String owner = owner(data);
            throw owner == null ? e : new NoAnswerException(ProcessState.text(owner, data), owner, e);
        }
    }

    /** The process that uses a data directory; null if there is none, or it cannot be known. */
    private static @Nullable String owner(Path data) {
        try {
            return DataDirectory.owner(data);
        } catch (IOException e) {
            return null;
        }
    }

    private static DescriptorSocket connect(Path data) throws IOException {
        try {
            return DescriptorSocket.connect(ControlServer.path(data));
        } catch (IOException e) {
            if (!Files.exists(data)) {
                throw new IOException(
                        "there is no data directory " + data.toAbsolutePath()
                                + ": name that of the service with --data",
                        e);
            }
            if (!Files.isReadable(data)) {
                throw new IOException(
                        "no permission for " + data + ": run it as the user of the service, or as root", e);
            }
            String owner = DataDirectory.owner(data);
            if (owner == null) {
                throw new NoAnswerException(
                        "no service runs on the data directory " + data + ": if it uses another, name that with --data",
                        null,
                        e);
            }
            throw new NoAnswerException(
                    "process " + owner + " uses " + data + " and cannot be reached at " + ControlServer.path(data)
                            + " (" + e.getMessage() + "): it may be starting or ending, or its log says why",
                    owner,
                    e);
        }
    }
}
