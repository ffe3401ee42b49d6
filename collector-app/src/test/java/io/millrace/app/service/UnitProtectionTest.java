package io.millrace.app.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitProtectionTest {
    private static final String STRICT = "[Service]\nProtectSystem=strict\n";

    @ParameterizedTest
    @CsvSource({
        "'', /var/log/hosts, false",
        "'ReadWritePaths=/srv /var/log/other', /var/log/hosts, false",
        "'ReadWritePaths=/srv -/var/log/hosts', /var/log/hosts/a, true",
        "'ProtectSystem=full', /var/log/hosts, true",
        "'', /var/log/millrace/hosts, true",
        "'', /var/lib/millrace/out, true",
        "'', /var/lib/millraces, false",
    })
    void warnsOfWhatTheServiceCannotWrite(String dropIn, String path, boolean allowed) {
        String warning = new UnitProtection(STRICT + dropIn + "\n").warning(Path.of(path));
        if (allowed) {
            assertThat(warning).isNull();
        } else {
            assertThat(warning).contains("ReadWritePaths=" + path);
        }
        assertThat(new UnitProtection("").warning(Path.of(path))).isNull();
    }
}
