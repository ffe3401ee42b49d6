package io.millrace.bench.trial;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory warm. In a virtual machine the first touch of a page may have to wait for the host, and freed pages go
 * back to it after a while; a receiver that fills new pages would be measured by that. So some memory is touched and
 * freed before a trial, and some more each second of it: the pages a receiver is given have just been in use. It costs
 * processor time, which falls on no receiver's account, but on the host's.
 */
final class Ballast implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int BLOCK = 1 << 20;
    private static final long MOST_BEFORE = 4L << 30;
    private static final long MOST_A_SECOND = 320L << 20;

    /** Its file has no name any more, so that nothing is left of it however this process ends. */
    private final FileChannel file;

    private final long bytesASecond;
    private @Nullable Thread thread;
    private volatile boolean stopped;

    private Ballast(FileChannel file, long bytesASecond) {
        this.file = file;
        this.bytesASecond = bytesASecond;
    }

    /**
     * Touches and frees memory.
     *
     * @param bytesASecond what the receiver will write, about
     * @param seconds for how long
     */
    static Ballast touched(double bytesASecond, double seconds) throws IOException {
        Path directory = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        Path name = Files.createTempFile(directory, "millrace-ballast", "");
        FileChannel file = FileChannel.open(name, StandardOpenOption.WRITE);
        Files.delete(name);
        Ballast ballast = new Ballast(file, (long) Math.min(MOST_A_SECOND, bytesASecond * 1.3));
        try {
            ballast.touch((long) Math.min(MOST_BEFORE, bytesASecond * seconds * 1.3));
        } catch (IOException noRoom) {
            // Then pages are as cold as they are; nothing depends on it.
        }
        return ballast;
    }

    /** Goes on touching and freeing some each second, until closed. */
    void keepWarm() {
        thread = new Thread(this::run, "ballast");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                touch(bytesASecond);
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException | IOException e) {
            // The trial is over, or its pages stay cold; nothing depends on it.
        }
    }

    private void touch(long bytes) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        file.position(0);
        for (long written = 0; written < bytes && !stopped; written += BLOCK) {
            block.clear();
            file.write(block);
        }
        file.truncate(0);
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        if (thread != null) {
            // An interrupt in a write closes the file, and close() does not mind.
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        file.close();
    }
}
