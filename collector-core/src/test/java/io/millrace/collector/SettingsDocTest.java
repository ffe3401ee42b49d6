package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.setting.Setting;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of settings in docs/embed/embedding.md is made from their definitions. Tests run in the folder of their module.
 * {@code -Dmillrace.docs.write=true} writes the table instead of comparing it.
 */
class SettingsDocTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "embed", "embedding.md");
    private static final String HEAD = "| builder method | accepts | default | meaning |";

    @Test
    void tableMatchesTheDefinitions() throws IOException, ReflectiveOperationException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int begin = lines.indexOf(HEAD) + 2;
        int end = begin;
        while (lines.get(end).startsWith("|")) {
            end++;
        }
        List<String> rows = new ArrayList<>();
        for (Field field : CollectorSettings.class.getFields()) {
            if (field.get(null) instanceof Setting<?> setting) {
                rows.add(row(setting));
            }
        }
        if (Boolean.getBoolean("millrace.docs.write")) {
            List<String> written = new ArrayList<>(lines.subList(0, begin));
            written.addAll(rows);
            written.addAll(lines.subList(end, lines.size()));
            Files.write(DOCUMENT, written);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("run with -Dmillrace.docs.write=true to write it again")
                .isEqualTo(rows);
    }

    private static String row(Setting<?> setting) {
        Method method = Arrays.stream(CollectorBuilder.class.getMethods())
                .filter(it -> it.getName().equals(setting.javaName()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no method " + setting.javaName()));
        String types = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return "| `" + setting.javaName() + "(" + types + ")` | "
                + setting.type().takes() + " | `" + setting.defaultText() + "` | " + setting.help() + " |";
    }
}
