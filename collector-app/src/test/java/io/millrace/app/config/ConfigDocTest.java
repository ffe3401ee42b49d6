package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.CollectorSettings;
import io.millrace.setting.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/reference/configuration.md is what {@code config reference --format markdown} prints. Tests run in the folder of their
 * module. {@code -Dmillrace.docs.write=true} writes the document instead of comparing it.
 */
class ConfigDocTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "reference", "configuration.md");

    @TempDir
    private Path directory;

    @Test
    void documentMatchesTheReference() throws IOException {
        String reference = ConfigReference.markdown(OutputTypes.ALL);
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(DOCUMENT, reference);
        }
        assertThat(DOCUMENT).content().isEqualTo(reference);
    }

    @Test
    void exampleIsValid() throws IOException {
        String reference = ConfigReference.markdown(OutputTypes.ALL);
        int begin = reference.indexOf("```yaml\n") + "```yaml\n".length();
        Path file = Files.writeString(
                directory.resolve("millrace.yaml"), reference.substring(begin, reference.indexOf("```", begin)));
        Config config = new ConfigLoader(OutputTypes.ALL, Map.of()).load(file, new Overrides());
        assertThat(config.inputs()).singleElement().matches(it -> it.name().equals("syslog"));
        assertThat(config.outputs()).extracting(OutputConfig::name).containsExactly("archive", "alerts");
        assertThat(config.timeZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    }

    @Test
    void textAndMarkdownHaveEverySetting() {
        String text = ConfigReference.text(OutputTypes.ALL);
        String markdown = ConfigReference.markdown(OutputTypes.ALL);
        for (Entry entry : CollectorSettings.RECEIVE.entries()) {
            assertThat(text).contains("\nreceive." + entry.key() + "\n");
            assertThat(markdown).contains("\n| `" + entry.key() + "` | ");
        }
        assertThat(text)
                .contains("\ninputs.NAME.listen\n", "\noutputs.NAME.where\n", "\nadmin.listen\n", "\ntimeZone\n");
    }
}
