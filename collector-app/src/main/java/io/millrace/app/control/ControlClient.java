package io.millrace.app.control;

import io.millrace.handoff.DescriptorSocket;
import io.millrace.journal.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Asks the service that uses a data directory. */
public final class ControlClient {
    private static final long SEND_NS = TimeUnit.SECONDS.toNanos(5);
    /** A reload starts and ends outputs, which may wait for their destinations. */
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(60);

    /** What takes long belongs to another request: it is not waited for. */
    private static final long HEALTH_NS = TimeUnit.SECONDS.toNanos(5);

    /** The request for the process id of the service, its state and what is wrong. */
    public static final String HEALTH = "health";

    /** The request for the settings in effect, as YAML without secrets. */
    public static final String CONFIG = "config";

    /** The request for the names of the outputs, one per line. */
    public static final String OUTPUTS = "outputs";

    private ControlClient() {}

    /** Whether a service uses a data directory, as lines for people: its process id, its state and what is wrong. */
    public static String health(Path data) throws IOException {
        String owner = DataDirectory.owner(data);
        if (owner == null) {
            return "service: does not run" + System.lineSeparator();
        }
        String problem;
        try {
            Answer answer = ask(data, HEALTH, HEALTH_NS);
            if (answer.code() == 0) {
                return answer.text();
            }
            problem = answer.text().strip();
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        return "service: process " + owner + ", state unknown: " + problem + System.lineSeparator();
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param data the data directory
     * @throws IOException if no service uses the data directory, or it does not answer
     */
    public static Answer ask(Path data, String request) throws IOException {
        return ask(data, request, ANSWER_NS);
    }

    private static Answer ask(Path data, String request, long withinNs) throws IOException {
        try (DescriptorSocket connection = connect(data)) {
            connection.send(request, SEND_NS);
            String[] head = connection.receive(withinNs).split(" ", 2);
            byte[] text = connection.receive(Integer.parseInt(head[1]), SEND_NS);
            return new Answer(Integer.parseInt(head[0]), new String(text, StandardCharsets.UTF_8));
        }
    }

    private static DescriptorSocket connect(Path data) throws IOException {
        try {
            return DescriptorSocket.connect(ControlServer.path(data));
        } catch (IOException e) {
            if (Files.exists(data) && !Files.isReadable(data)) {
                throw new IOException(
                        "no permission for " + data + ": run it as the user of the service, or as root", e);
            }
            String owner = DataDirectory.owner(data);
            if (owner == null) {
                throw new IOException(
                        "no service runs on the data directory " + data
                                + ": name that of the service with --data; 'millrace ledger' shows what was counted",
                        e);
            }
            throw new IOException(
                    "process " + owner + " uses " + data + " and cannot be reached at " + ControlServer.path(data)
                            + " (" + e.getMessage() + "): it may be starting or ending, or its log says why",
                    e);
        }
    }
}
