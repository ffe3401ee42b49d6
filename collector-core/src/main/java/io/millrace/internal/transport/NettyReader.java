package io.millrace.internal.transport;

import io.millrace.transport.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import java.io.IOException;

/** Reads with Netty's {@code recvmmsg}. All datagrams of a call have the time of the call. One thread. */
final class NettyReader implements DatagramReader {
    private final NettyMessages messages;
    private final ReadResult result = new ReadResult();
    private int next;
    private int received;

    NettyReader(NettyMessages messages) {
        this.messages = messages;
    }

    @Override
    public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        int count = 0;
        if (next == received) {
            next = 0;
            received = 0;
            received = messages.receive();
            count = received;
            long epochNs = clock.epochNs();
            for (int i = 0; i < received; i++) {
                messages.datagram(i).receiveTimeNs(epochNs);
            }
        }
        while (next < received && batch.append(messages.datagram(next), input)) {
            next++;
        }
        return result.set(count, next < received || received == NettyMessages.CAPACITY);
    }

    @Override
    public int staged() {
        return received - next;
    }

    @Override
    public void close() {
        // The garbage collector releases its memory.
    }
}
