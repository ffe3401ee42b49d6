package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.structure.PublicApi;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What programs that embed the library may use. Each change is a line of {@code docs/embed/api.txt}. */
class PublicApiTest {
    private static final int MAX_TYPES = 90;
    private static final Path FILE = Path.of("../docs/embed/api.txt");

    private final PublicApi api = new PublicApi(
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.millrace"),
            PublicApiTest::isApi,
            PublicApiTest::isApi);

    private static boolean isApi(JavaClass type) {
        return type.getPackageName().startsWith("io.millrace.")
                && !type.getPackageName().startsWith("io.millrace.internal");
    }

    @Test
    void signaturesAreThoseOfTheFile() throws IOException {
        assertThat(api.text())
                .as("see git diff docs/embed/api.txt after -Dtest=PublicApiTest -Dmillrace.docs.write=true")
                .isEqualTo(api.expected(FILE));
    }

    @Test
    void signaturesMentionTheApiOnly() {
        assertThat(api.leaks()).isEmpty();
    }

    @Test
    void thereAreFewTypes() {
        assertThat(api.topLevelTypes()).hasSizeLessThanOrEqualTo(MAX_TYPES);
    }
}
