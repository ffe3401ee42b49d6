package io.millrace.bench.trial;

import io.millrace.sender.payload.SequencePayload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Numbered syslog messages on TCP connections, as fast as a receiver reads them: a thread for each connection writes blocks of
 * messages, in which it only changes the numbers.
 */
final class StreamLoad {
    /** Patterns of a {@link Load}. */
    static final String NEWLINE = "newline";

    static final String OCTET_COUNTING = "octet-counting";

    static final String TLS = "newline-tls";

    /** So that what a trial writes stays in memory that is warm. */
    private static final long MAX_MESSAGES = 12_000_000;

    private static final byte[] HEADER = "<13>Nov 24 10:00:00 bench app: ".getBytes(StandardCharsets.US_ASCII);
    /** A power of 16: within a block only the lower digits of the number differ. A block fits the cache of a core. */
    private static final int BLOCK_MESSAGES = 256;

    private static final int SEQUENCE_AT = 15;
    private static final int UPPER_DIGITS = 6;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Load load;
    private final int port;
    private final int run;
    private final long startNs;
    private final long deadlineNs;

    private StreamLoad(Load load, int port, int run) {
        this.load = load;
        this.port = port;
        this.run = run;
        this.startNs = System.nanoTime();
        this.deadlineNs = startNs + (long) (load.seconds() * 1e9);
    }

    /**
     * Sends for the time of the load, or a limited number of messages, on as many connections as it has sources.
     *
     * @throws IOException if a connection fails
     */
    static SenderRun run(Load load, int port, long run) throws IOException, InterruptedException {
        StreamLoad sending = new StreamLoad(load, port, (int) run);
        ExecutorService threads = Executors.newFixedThreadPool(load.sources());
        try {
            long startNs = System.nanoTime();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < load.sources(); i++) {
                int source = i;
                counts.add(threads.submit(() -> sending.send(source)));
            }
            long sent = 0;
            for (Future<Long> count : counts) {
                sent += count.get();
            }
            return new SenderRun(sent, 0, 0, sent * 1e9 / (System.nanoTime() - startNs), 0, Load.MAX);
        } catch (ExecutionException e) {
            throw new IOException("a connection of the sender failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private long send(int source) throws IOException {
        ByteBuffer block = block(source);
        int messageBytes = block.capacity() / BLOCK_MESSAGES;
        long blocks = Math.max(1, MAX_MESSAGES / BLOCK_MESSAGES / load.sources());
        try (WritableByteChannel channel = connect()) {
            long sent = 0;
            for (int number = 0; number < blocks && System.nanoTime() - deadlineNs < 0; number++) {
                setUpperDigits(block, messageBytes, number);
                block.clear();
                while (block.hasRemaining()) {
                    channel.write(block);
                }
                sent += BLOCK_MESSAGES;
                pause(sent);
            }
            return sent;
        }
    }

    private WritableByteChannel connect() throws IOException {
        return load.pattern().equals(TLS)
                ? new TlsClient(port)
                : SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Keeps to the rate of the load, if it has one. */
    private void pause(long sent) throws IOException {
        if (load.rate() != Load.MAX) {
            long dueNs = startNs + sent * load.sources() * 1_000_000_000 / load.rate();
            try {
                TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    private ByteBuffer block(int source) {
        boolean counted = load.pattern().equals(OCTET_COUNTING);
        byte[] count = counted ? (load.size() + " ").getBytes(StandardCharsets.US_ASCII) : new byte[0];
        int messageBytes = count.length + load.size() + (counted ? 0 : 1);
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_MESSAGES * messageBytes);
        for (int i = 0; i < BLOCK_MESSAGES; i++) {
            int at = i * messageBytes;
            block.put(at, count).put(at + count.length, HEADER);
            int identity = at + count.length + HEADER.length;
            int identityBytes = load.size() - HEADER.length;
            SequencePayload.encode(block, identity, run, source, i, 0);
            SequencePayload.pad(block, identity, identityBytes);
            if (!counted) {
                block.put(identity + identityBytes, (byte) '\n');
            }
        }
        return block;
    }

    private void setUpperDigits(ByteBuffer block, int messageBytes, int number) {
        int inMessage = load.pattern().equals(OCTET_COUNTING) ? messageBytes - load.size() : 0;
        int first = inMessage + HEADER.length + SEQUENCE_AT;
        // Digits that are those of the block before, stay: most often only the last one changes.
        int changed = number == 0 ? -1 : number ^ (number - 1);
        for (int digit = 0; digit < UPPER_DIGITS; digit++) {
            int shift = 4 * (UPPER_DIGITS - 1 - digit);
            if (changed >>> shift == 0) {
                continue;
            }
            byte text = DIGITS[(number >> shift) & 0xf];
            for (int i = 0; i < BLOCK_MESSAGES; i++) {
                block.put(first + digit + i * messageBytes, text);
            }
        }
    }
}
