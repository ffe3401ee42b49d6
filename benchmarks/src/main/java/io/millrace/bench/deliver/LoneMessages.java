package io.millrace.bench.deliver;

import io.millrace.bench.check.RunCheck;
import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.Payloads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Sends datagrams one by one, each after a pause, and follows the file until its line is there. The thread of the benchmark sends
 * them: a process that sleeps between its datagrams would add its own delay.
 */
final class LoneMessages {
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LOST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int RUN = 4;

    private LoneMessages() {}

    /**
     * Measures the time from the send until the line was read.
     *
     * @param size bytes per datagram
     * @throws IOException if a line does not come
     */
    static Histogram measure(InetSocketAddress target, FollowedFile file, int count, int size)
            throws IOException, InterruptedException {
        RunCheck check = new RunCheck(RUN);
        Payloads payloads = PayloadPattern.RFC3164.payloads(PayloadSizes.of(size), 1, RUN);
        ByteBuffer buffer = ByteBuffer.allocateDirect(payloads.maxBytes());
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(target);
            for (int i = 0; i < count; i++) {
                TimeUnit.NANOSECONDS.sleep(PAUSE_NS);
                int length = payloads.put(buffer, 0, i, 0, i, nowMicros());
                channel.write(buffer.duplicate().limit(length));
                await(file, check, i + 1);
            }
        }
        return check.latency();
    }

    private static long nowMicros() {
        return TimeUnit.NANOSECONDS.toMicros(FollowedFile.nowNs());
    }

    private static void await(FollowedFile file, RunCheck check, int count) throws IOException {
        long startNs = System.nanoTime();
        while (check.distinct() < count) {
            if (System.nanoTime() - startNs > LOST_NS) {
                throw new IOException("the line of datagram " + count + " is not in the file");
            }
            if (!file.poll(check)) {
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }
}
