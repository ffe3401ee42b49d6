package io.millrace.output.internal.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.OutputFuzz;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Names of files and topics: a message makes none outside of the template's directories, no hidden one, and none that is kept for the service. */
public final class NamesFuzz extends OutputFuzz {
    private static final List<String> TEMPLATES = List.of(
            "/logs/{hostname}.log",
            "/logs/{hostname}/{appname}.log",
            "/logs/{hostname}",
            "/logs/{hostname}-{appname}_{procid}{msgid}",
            "/logs/{date}/{hour}/{message}.log",
            "/logs/{structured_data}/{raw}/{source_ip}",
            "/l\u00f6gs/x{facility}{severity}/{message}");

    /** Made by name. */
    public NamesFuzz() {
        super("names");
    }

    @Override
    protected void take(byte[] bytes) {
        String text = TEMPLATES.get(choice(bytes) % TEMPLATES.size());
        NameTemplate template = NameTemplate.parse(text);
        NameTemplate.Name name = template.of(record(message(bytes), 1));
        Path path = Path.of(name.text());
        that(path.normalize().equals(path) && path.startsWith(text.substring(0, text.indexOf('/', 1))), name.text());
        that(path.getNameCount() == Path.of(text.replaceAll("[{}]", "")).getNameCount(), name.text());
        that(name.text().indexOf('@') < 0, name.text());
        for (Path component : path) {
            byte[] encoded = component.toString().getBytes(UTF_8);
            that(encoded.length > 0 && encoded.length <= 200 && encoded[0] != '.', name.text());
        }
        that(name.text().chars().allMatch(c -> c > ' ' && c != 0x7f), name.text());
        that(isOfLevels(template, name.text(), false) && isOfLevels(template, name.other(), true), name.text());
        that(!name.isOther() && name.other().contains(NameTemplate.OTHER), name.other());
        String topic = NameTemplate.parse("{hostname}.{message}")
                .of(record(message(bytes), 1))
                .text()
                .replace(':', '_');
        that(topic.matches("[A-Za-z0-9._-]{2,201}"), topic);
    }

    private static boolean isOfLevels(NameTemplate template, String name, boolean other) {
        List<Pattern> levels = template.belowDirectory().levels(other);
        String[] parts = name.substring(template.directory().length()).split("/", -1);
        return parts.length == levels.size()
                && IntStream.range(0, parts.length)
                        .allMatch(i -> levels.get(i).matcher(parts[i]).matches());
    }
}
