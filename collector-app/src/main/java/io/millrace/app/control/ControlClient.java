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

    private ControlClient() {}

    /**
     * Sends a request and waits for the answer.
     *
     * @param data the data directory
     * @throws IOException if no service uses the data directory, or it does not answer
     */
    public static Answer ask(Path data, String request) throws IOException {
        try (DescriptorSocket connection = connect(data)) {
            connection.send(request, SEND_NS);
            String[] head = connection.receive(ANSWER_NS).split(" ", 2);
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
