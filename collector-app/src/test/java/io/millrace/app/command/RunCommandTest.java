package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments that {@code run} does not take. */
class RunCommandTest {
    @ParameterizedTest
    @CsvSource({
        "millrace.yaml, --config millrace.yaml",
        "/etc/millrace/m.yaml, --config /etc/millrace/m.yaml",
        "--port 514, --listen udp://0.0.0.0:514",
        "--port=514, --listen udp://0.0.0.0:514",
        "--port, --listen udp://0.0.0.0:PORT",
        "-p 514, --listen udp://0.0.0.0:514",
        "--tcp-port 514, --listen tcp://0.0.0.0:514",
        "514, --listen udp://0.0.0.0:514",
        "tcp://127.0.0.1:514, --listen tcp://127.0.0.1:514",
        "127.0.0.1:514, --listen 127.0.0.1:514",
        "--lisen 127.0.0.1:514, --listen"
    })
    void errorNamesTheOptionThatWasMeant(String arguments, String meant) {
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.execute(("run " + arguments).split(" "))).isEqualTo(2);
        } finally {
            System.setErr(err);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("; did you mean " + meant + "?");
    }
}
