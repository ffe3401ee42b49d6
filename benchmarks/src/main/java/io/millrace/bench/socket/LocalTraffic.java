package io.millrace.bench.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Messages over a pair of sockets: as many as possible, or one per millisecond. */
final class LocalTraffic {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int DIGITS = 3;
    private static final double NS_PER_MICRO = 1000;
    private static final double HIGH = 99;

    private final LocalTransport.Pair pair;
    private final int size;

    /** How long messages were on their way. */
    record Latency(double medianMicros, double highMicros) {}

    LocalTraffic(LocalTransport.Pair pair, int size) {
        this.pair = pair;
        this.size = size;
    }

    /** Messages received per second. */
    double perSecond(double seconds) throws IOException, InterruptedException {
        long[] bytes = {0};
        Thread receiver = new Thread(() -> receiveAll(bytes, null), "receive");
        receiver.start();
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        long startNs = System.nanoTime();
        long endNs = startNs + (long) (seconds * 1e9);
        while (System.nanoTime() - endNs < 0) {
            for (int i = 0; i < 100; i++) {
                pair.send(message.clear());
            }
        }
        double took = (System.nanoTime() - startNs) / 1e9;
        end(receiver);
        return (double) bytes[0] / size / took;
    }

    /** Sends a message per millisecond. */
    Latency latency(double seconds) throws IOException, InterruptedException {
        Histogram histogram = new Histogram(DIGITS);
        Thread receiver = new Thread(() -> receiveAll(new long[1], histogram), "receive");
        receiver.start();
        ByteBuffer message = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        long endNs = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() - endNs < 0) {
            message.clear().putLong(0, System.nanoTime());
            pair.send(message);
            LockSupport.parkNanos(PERIOD_NS);
        }
        end(receiver);
        return new Latency(
                histogram.getValueAtPercentile(50) / NS_PER_MICRO, histogram.getValueAtPercentile(HIGH) / NS_PER_MICRO);
    }

    /** Ends with a message that says so: a receiver that waits for one notices nothing else. */
    private void end(Thread receiver) throws IOException, InterruptedException {
        while (receiver.isAlive()) {
            ByteBuffer last = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
            last.putLong(0, -1);
            pair.send(last);
            receiver.join(10);
        }
    }

    private void receiveAll(long[] bytes, @Nullable Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        try {
            while (true) {
                buffer.clear();
                int count = pair.receive(buffer);
                while (count >= 0 && buffer.position() < size && buffer.position() > 0) {
                    // A part of a message of a stream.
                    count = pair.receive(buffer);
                }
                long sentNs = buffer.getLong(0);
                if (count < 0 || sentNs == -1) {
                    return;
                }
                bytes[0] += size;
                if (histogram != null) {
                    histogram.recordValue(Math.max(0, System.nanoTime() - sentNs));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot receive", e);
        }
    }
}
