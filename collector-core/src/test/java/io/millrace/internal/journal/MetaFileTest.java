package io.millrace.internal.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.TestSeed;
import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetaFileTest {
    private static final String CREATED = "2026-11-21T00:00:00Z";

    @TempDir
    Path root;

    private Path file;

    @BeforeEach
    void locate() {
        file = JournalPaths.metaPath(root);
    }

    @Test
    void loadReturnsTheSavedMetadata() throws IOException {
        Random random = TestSeed.random(MetaFileTest.class);
        for (int i = 0; i < 500; i++) {
            // A parser may read ids with few digits, or with decimal digits only, as numbers.
            long journalId = random.nextBoolean()
                    ? random.nextLong()
                    : Long.parseUnsignedLong(Integer.toString(random.nextInt(100_000_000)), 16);
            JournalMeta meta = new JournalMeta(journalId, CREATED, random.nextInt(300), List.of("a", "input-" + i));
            MetaFile.save(meta, file);
            assertThat(MetaFile.load(root)).isEqualTo(meta);
        }
    }

    @Test
    void impossibleNumberOfShardsIsDamage() throws IOException {
        for (long shards : new long[] {-1, 65_537, 4_294_967_298L}) {
            Files.writeString(
                    file,
                    "{\"format\":1,\"journalId\":\"0000000000000001\",\"created\":\"\",\"shards\":" + shards
                            + ",\"inputs\":[]}");
            assertThatIOException()
                    .isThrownBy(() -> MetaFile.load(root))
                    .withMessageStartingWith(file + " is damaged: ")
                    .withMessageContaining("'shards' accepts 0 to 65536, not " + shards);
        }
    }

    @Test
    void hugeFileIsNotReadIntoMemory() throws IOException {
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(3L << 30);
        }
        assertThatIOException()
                .isThrownBy(() -> MetaFile.load(root))
                .withMessage(file + " cannot be read: it has 3221225472 bytes; the maximum is 1048576");
    }

    @Test
    void namesCanHaveAnyCharacters() throws IOException {
        List<String> names = List.of(
                "",
                "1",
                "true",
                "null",
                "a \"quoted\" \\ name",
                "tab\tand\nline",
                "{}",
                "[x]",
                "ä€日本😀",
                "\ud83d",
                "#",
                "a: b",
                "!t",
                "0x10");
        JournalMeta meta = new JournalMeta(-1, CREATED, 1, names);
        MetaFile.save(meta, file);
        assertThat(MetaFile.load(root)).isEqualTo(meta);
    }

    @Test
    void fileIsStandardJson() throws IOException {
        MetaFile.save(new JournalMeta(0x123, CREATED, 2, List.of("syslog", "a \"b\" ä日😀")), file);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("format").asInt()).isEqualTo(1);
        assertThat(json.get("journalId").textValue()).isEqualTo("0000000000000123");
        assertThat(json.get("created").textValue()).isEqualTo(CREATED);
        assertThat(json.get("shards").asInt()).isEqualTo(2);
        assertThat(json.get("inputs").get(1).get("id").asInt()).isEqualTo(1);
        assertThat(json.get("inputs").get(1).get("name").textValue()).isEqualTo("a \"b\" ä日😀");
    }

    @Test
    void fileFormattedByAnotherToolCanBeRead() throws IOException {
        JournalMeta meta = new JournalMeta(0x123, CREATED, 2, List.of("syslog", "ä日😀"));
        MetaFile.save(meta, file);
        ObjectMapper mapper = new ObjectMapper();
        mapper.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), mapper.readTree(file.toFile()));
        assertThat(MetaFile.load(root)).isEqualTo(meta);
    }

    @Test
    void newDirectoryGetsItsOwnId() throws IOException {
        JournalMeta first = MetaFile.loadOrCreate(file);
        assertThat(first.inputs()).isEmpty();
        assertThat(first.shards()).isZero();
        assertThat(Instant.parse(first.created())).isBefore(Instant.now());
        assertThat(MetaFile.loadOrCreate(file)).isEqualTo(first);
        assertThat(MetaFile.loadOrCreate(root.resolve("other.json")).journalId())
                .isNotEqualTo(first.journalId());
        assertThat(root.resolve("meta.json.new")).doesNotExist();
    }

    @Test
    void damagedFileIsReported() throws IOException {
        JournalMeta meta = new JournalMeta(0x123, CREATED, 2, List.of("syslog"));
        MetaFile.save(meta, file);
        String good = Files.readString(file);
        List<String> damaged = List.of(
                "",
                "{",
                "no json at all",
                "[]",
                "17",
                good.substring(0, good.length() / 2),
                good.replace("\"inputs\"", "\"outputs\""),
                good.replace("\"format\"", "\"version\""),
                good + "{}",
                good.replace("{\"id\":0,\"name\":\"syslog\"}", "\"syslog\""),
                good.replace("\"syslog\"", "null"),
                good.replace("\"syslog\"", "{}"),
                good.replace("\"name\"", "\"label\""),
                good.replace("0000000000000123", "no hex number"),
                good.replace("\"id\":0", "\"id\":1"));
        for (String text : damaged) {
            Files.writeString(file, text);
            assertThatIOException()
                    .as("'%s'", text)
                    .isThrownBy(() -> MetaFile.load(root))
                    .withMessageContaining(file.toString());
        }
    }

    @Test
    void invalidUtf8IsReportedAsDamage() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatIOException()
                .isThrownBy(() -> MetaFile.load(root))
                .withMessageContaining(file.toString())
                .withMessageContaining("damaged");
    }

    @Test
    void unknownFormatIsRefusedAndNotChanged() throws IOException {
        MetaFile.save(new JournalMeta(1, CREATED, 1, List.of()), file);
        Files.writeString(file, Files.readString(file).replaceFirst("\"format\": *1", "\"format\":2"));
        byte[] before = Files.readAllBytes(file);
        assertThatIOException()
                .isThrownBy(() -> DataDirectory.open(root))
                .withMessageContaining(file.toString())
                .withMessageContaining("format 2")
                .withMessageContaining("format 1");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void inputIdsAreAppendOnly() throws IOException {
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.register(List.of("a", "b"), 2)).containsExactly(0, 1);
            directory.saveMeta();
        }
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.register(List.of("c", "b"), 1)).containsExactly(2, 1);
            assertThat(directory.meta().inputs()).containsExactly("a", "b", "c");
            assertThat(directory.meta().shards()).as("shards ever written").isEqualTo(2);
            assertThat(directory.register(List.of("a"), 3)).containsExactly(0);
            directory.saveMeta();
        }
        JournalMeta meta = MetaFile.load(root);
        assertThat(meta.inputs()).containsExactly("a", "b", "c");
        assertThat(meta.shards()).isEqualTo(3);
        assertThat(meta.inputName(2)).isEqualTo("c");
        assertThat(meta.inputName(3)).isEqualTo("#3");
    }

    @Test
    void namesOfAFailedStartAreNotSaved() throws IOException {
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.register(List.of("of an address that cannot be bound"), 2))
                    .containsExactly(0);
        }
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.meta().inputs()).isEmpty();
            assertThat(directory.meta().shards()).isZero();
            assertThat(directory.register(List.of("another"), 1)).containsExactly(0);
        }
    }

    @Test
    void moreThan256InputsAreRefused() throws IOException {
        List<String> names = IntStream.range(0, MetaFile.MAX_INPUTS)
                .mapToObj(i -> "input-" + i)
                .toList();
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.register(names, 1)).hasSize(256).endsWith(255);
            assertThatIOException()
                    .isThrownBy(() -> directory.register(List.of("one more"), 1))
                    .withMessageContaining("256");
            assertThat(directory.meta().inputs()).hasSize(256);
            directory.saveMeta();
        }
        assertThat(new String(Files.readAllBytes(file), UTF_8)).doesNotContain("one more");
    }
}
