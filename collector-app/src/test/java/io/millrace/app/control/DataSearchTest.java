package io.millrace.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSearchTest {
    @TempDir
    private Path directory;

    private DataSearch search;

    @BeforeEach
    void begin() throws IOException {
        Files.createDirectory(directory.resolve("proc"));
        search = new DataSearch(config(), directory.resolve("data"), directory.resolve("proc"));
    }

    private Path config() {
        return directory.resolve("millrace.yaml");
    }

    /** A process that holds the lock of a data directory, as the kernel shows it. */
    private Path running(String pid) throws IOException {
        Path data = Files.createDirectory(directory.resolve("data-" + pid));
        Files.createFile(data.resolve("meta.json"));
        Path lock = Files.createFile(data.resolve("LOCK"));
        Path descriptors =
                Files.createDirectories(directory.resolve("proc").resolve(pid).resolve("fd"));
        Files.createSymbolicLink(descriptors.resolve("3"), directory.resolve("proc"));
        Files.createSymbolicLink(descriptors.resolve("7"), lock);
        return data;
    }

    @Test
    void configurationOfThePackageComesFirst() throws IOException {
        Files.createDirectory(directory.resolve("data"));
        Files.writeString(config(), "data: /var/lib/millrace\noutputs: {a: {type: nonsense, x: '${NOT_SET}'}}\n");
        assertThat(search.find()).isEqualTo(new DataSearch.Found(Path.of("/var/lib/millrace"), config().toString()));
    }

    @Test
    void workingDirectoryComesBeforeRunningServices() throws IOException {
        running("17");
        Files.createDirectory(directory.resolve("data"));
        assertThat(search.find().path()).isEqualTo(directory.resolve("data"));
    }

    @Test
    void runningServiceIsFoundByItsLock() throws IOException {
        Path data = running("17");
        // A path relative to the working directory of the service says nothing here.
        Files.writeString(config(), "data: data\n");
        assertThat(search.find()).isEqualTo(new DataSearch.Found(data, "the running process 17"));
    }

    /** The service has read it before it was broken. */
    @Test
    void brokenConfigurationDoesNotHideTheService() throws IOException {
        Path data = running("17");
        Files.writeString(config(), "data: [\n");
        assertThat(search.find().path()).isEqualTo(data);
    }

    @Test
    void severalServicesAreNamed() throws IOException {
        Path one = running("17");
        Path other = running("18");
        assertThatIOException()
                .isThrownBy(search::find)
                .withMessage("several services run: name one of their directories with --data: " + one + ", " + other);
    }

    @Test
    void nothingIsSaidToBeNothing() {
        assertThatIOException()
                .isThrownBy(search::find)
                .withMessage("there is no data directory " + directory.resolve("data") + ", no " + config()
                        + ", and this user sees no running service: name the directory with --data, or the configuration"
                        + " with --config");
    }

    @Test
    void configurationNamesItsDirectory() throws IOException {
        Files.writeString(config(), "inputs:\n  a: {listen: nonsense}\ndata: ./here\n");
        assertThat(search.of(config())).isEqualTo(Path.of("./here"));
        Files.writeString(config(), "inputs: {}\n");
        assertThat(search.of(config())).isEqualTo(directory.resolve("data"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> search.of(directory.resolve("missing.yaml")))
                .withMessageContaining("the file is not there");
    }
}
