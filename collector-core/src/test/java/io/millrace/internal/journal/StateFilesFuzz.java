package io.millrace.internal.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.collector.Counter;
import io.millrace.fuzz.FuzzTarget;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.deliver.PositionFile;
import io.millrace.journal.JournalMeta;
import io.millrace.sink.Positions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A fuzz test of the small files of a data directory. The first byte of the input selects the file. */
public final class StateFilesFuzz extends FuzzTarget {
    private static final int COUNTERS_HEADER = 4096;

    private Path root = Path.of("");

    /** Created by reflection. */
    public StateFilesFuzz() {
        super("state-files");
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        if (root.toString().isEmpty()) {
            root = Files.createTempDirectory("millrace-fuzz");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(root)));
        }
        byte[] content = bytes.length == 0 ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length);
        switch (bytes.length == 0 ? 0 : bytes[0] & 3) {
            case 0 -> meta(content);
            case 1 -> positions(content);
            case 2 -> sealedPositions(content);
            default -> counters(content);
        }
    }

    /** Deletes a directory at the end of the process, ignoring errors. */
    private static void deleteQuietly(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println(directory + " stays: " + e);
        }
    }

    private void meta(byte[] content) throws IOException {
        Path file = Files.write(JournalPaths.metaPath(root), content);
        JournalMeta meta;
        try {
            meta = MetaFile.load(root);
        } catch (IOException e) {
            that(String.valueOf(e.getMessage()).startsWith(file.toString()), String.valueOf(e.getMessage()));
            return;
        }
        that(meta.shards() >= 0 && meta.shards() <= 65_536, "shards " + meta.shards());
        that(
                meta.inputs().size() <= MetaFile.MAX_INPUTS,
                "inputs " + meta.inputs().size());
        MetaFile.save(meta, file);
        that(MetaFile.load(root).equals(meta), "read again it is another: " + meta);
    }

    private void positions(byte[] content) throws IOException {
        Files.createDirectories(root.resolve("positions"));
        Files.write(root.resolve("positions/out"), content);
        PositionFile file = PositionFile.of(root, "out");
        Positions read;
        try {
            read = file.read();
        } catch (IOException e) {
            that(String.valueOf(e.getMessage()).startsWith(file + " is damaged ("), String.valueOf(e.getMessage()));
            return;
        }
        that(read != null, "a file that is there has positions");
        for (int shard = 0; shard < read.next().length; shard++) {
            that(read.next(shard) >= 0, "next " + read.next(shard));
        }
        that(read.counts().acked() >= 0 && read.counts().missing() >= 0, "counts " + read.counts());
        file.write(read);
        Positions again = file.read();
        that(again != null && Arrays.equals(again.next(), read.next()), "read again: positions");
        that(again.counts().equals(read.counts()) && again.journalId() == read.journalId(), "read again: counts");
    }

    private void sealedPositions(byte[] content) throws IOException {
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(content);
        byte[] end = String.format("crc32c %08x%n", crc.getValue()).getBytes(UTF_8);
        byte[] sealed = Arrays.copyOf(content, content.length + end.length);
        System.arraycopy(end, 0, sealed, content.length, end.length);
        positions(sealed);
    }

    /** Writes a counters file with this beginning and the length in the first bytes. */
    private void counters(byte[] content) throws IOException {
        int length = content.length < 2 ? 0 : (content[0] & 0xff) << 8 | (content[1] & 0xff);
        byte[] bytes =
                Arrays.copyOf(content.length < 2 ? content : Arrays.copyOfRange(content, 2, content.length), length);
        Path file = Files.write(JournalPaths.countersFile(root), bytes);
        try {
            CounterFile counters = CounterFile.openReadOnly(file);
            that(counters.shardCount() <= length / COUNTERS_HEADER, "shards " + counters.shardCount());
            var unused = counters.sum(Counter.RECEIVED_DATAGRAMS);
        } catch (IOException e) {
            that(String.valueOf(e.getMessage()).startsWith(file.toString()), String.valueOf(e.getMessage()));
        }
        try {
            CounterFile counters = CounterFile.open(file, 7, 2);
            that(counters.shardCount() >= 2, "shards " + counters.shardCount());
            counters.shard(1).add(Counter.RECEIVED_DATAGRAMS, 1);
            that(CounterFile.openReadOnly(file).shardCount() == counters.shardCount(), "shards");
        } catch (NoSuchFileException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            that(String.valueOf(e.getMessage()).startsWith(file.toString()), String.valueOf(e.getMessage()));
        }
    }

    @Override
    protected List<byte[]> seeds() {
        ByteBuffer counters = ByteBuffer.allocate(19).order(ByteOrder.LITTLE_ENDIAN);
        counters.put((byte) 3)
                .putShort((short) 0x3050)
                .put("MIRRCNT1".getBytes(UTF_8))
                .putLong(7);
        return List.of(
                text(0, """
                        {"format":1,"journalId":"00000000000000aa","created":"2026-11-21T10:00:00Z","shards":2,
                         "inputs":[{"id":0,"name":"syslog"},{"id":1,"name":"a\\u00e4\\"b"}]}
                        """),
                text(0, "{\"format\":2}"),
                text(0, """
                        {"format":1,"journalId":"ffffffffffffffff","created":"","shards":-1,"inputs":[]}
                        """),
                text(1, """
                        millrace positions 1
                        journal 00
                        crc32c 00000000
                        """),
                text(2, """
                        millrace positions 1
                        journal 00000000000000aa
                        acked 1
                        filtered 2
                        dead-lettered 0
                        missing 3
                        shard 0 next 17
                        shard 1 next 4
                        """),
                text(2, """
                        millrace positions 1
                        journal -1
                        acked -1
                        filtered 2
                        """),
                counters.array(),
                Arrays.copyOf(counters.array(), 10));
    }

    private static byte[] text(int file, String text) {
        byte[] bytes = ("x" + text).getBytes(UTF_8);
        bytes[0] = (byte) file;
        return bytes;
    }
}
