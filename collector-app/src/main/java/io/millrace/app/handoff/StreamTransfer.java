package io.millrace.app.handoff;

import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.handoff.DescriptorSocket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listening sockets and connections on the way to the successor: a line with their number and the length of their description, the
 * description, and the descriptors.
 */
final class StreamTransfer {
    private static final String HEAD = "streams ";
    private static final Pattern LINE = Pattern.compile(HEAD + "(\\d{1,6}) (\\d{1,9})");
    private static final int NO_STATE = -1;

    private StreamTransfer() {}

    static void send(List<PassedStream> streams, DescriptorSocket to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (PassedStream stream : streams) {
            byte[] state = stream.state();
            out.writeUTF(stream.endpoint());
            out.writeInt(stream.shard());
            out.writeInt(state == null ? NO_STATE : state.length);
            if (state != null) {
                out.write(state);
            }
        }
        to.send(HEAD + streams.size() + " " + bytes.size(), HandoffOffer.ANSWER_NS);
        to.send(bytes.toByteArray(), HandoffOffer.ANSWER_NS);
        for (PassedStream stream : streams) {
            to.sendDescriptor(stream.descriptor(), HandoffOffer.ANSWER_NS);
        }
    }

    /** True if a line of the other process announces streams. */
    static boolean isAnnounced(String line) {
        return LINE.matcher(line).matches();
    }

    /** Receives what a line announces; the descriptors are the caller's. */
    static List<PassedStream> receive(String line, DescriptorSocket from) throws IOException {
        Matcher head = LINE.matcher(line);
        if (!head.matches()) {
            throw new IOException("it is of another version of Millrace: it says '" + line + "'");
        }
        int count = Integer.parseInt(head.group(1));
        byte[] bytes = from.receive(Integer.parseInt(head.group(2)), HandoffOffer.ANSWER_NS);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        List<PassedStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                String endpoint = in.readUTF();
                int shard = in.readInt();
                int length = in.readInt();
                byte[] state = length == NO_STATE ? null : in.readNBytes(length);
                streams.add(
                        new PassedStream(from.receiveDescriptor(HandoffOffer.ANSWER_NS), endpoint, shard, state, 0));
            }
            return streams;
        } catch (IOException | RuntimeException e) {
            PassedStream.close(streams);
            throw e;
        }
    }
}
