package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The drawings of the documentation say what the code does. */
class PicturesTest {
    private static final Path HOME = Path.of("..");
    private static final long MAX_BYTES = 3 << 20;

    @Test
    void packetPathHasEachDropReason() throws IOException {
        String ledger = Files.readString(HOME.resolve("docs/reference/ledger.md"));
        assertThat(PacketPath.all())
                .extracting(drop -> drop.field().substring(drop.field().lastIndexOf('.') + 1))
                .doesNotHaveDuplicates()
                .allSatisfy(key -> assertThat(ledger).contains("\"" + key + "\":"));
        DocsPicture.check("pictures/packet-path.svg", PacketPath.draw());
    }

    /** This drawing is edited by hand. */
    @Test
    void architectureNamesClassesOfTheCode() throws IOException {
        List<String> names = Pattern.compile("class=\"code\"[^>]*>([^<]+)<")
                .matcher(DocsPicture.read("pictures/architecture.svg"))
                .results()
                .map((MatchResult found) -> found.group(1))
                .flatMap(text -> Stream.of(text.split(", ")))
                .toList();
        try (Stream<Path> sources = Files.walk(HOME.resolve("collector-core/src/main/java"))) {
            assertThat(sources.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
                    .containsAll(names.stream().map(name -> name + ".java").toList());
        }
        assertThat(names).contains("Receiver", "SlabRing", "JournalWriter");
    }

    @Test
    void picturesAreSmall() throws IOException {
        try (Stream<Path> files = Files.walk(HOME.resolve("docs"))) {
            assertThat(files.filter(file -> file.toString().matches(".*\\.(svg|png)"))
                            .mapToLong(file -> file.toFile().length())
                            .sum())
                    .isLessThan(MAX_BYTES);
        }
    }
}
