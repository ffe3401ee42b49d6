package io.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The compose file and the Kubernetes manifests in {@code docker/}: that what they mount is there, that the service takes the
 * configurations, and that the programs they are for take them, where they are installed. Tests run in the folder of their module.
 */
class ContainerFilesTest {
    private static final Path DOCKER = Path.of("..", "docker");
    private static final Path COMPOSE = DOCKER.resolve("compose.yaml");
    private static final Pattern SECRET = Pattern.compile("\\$\\{file:[^}]+}");

    @TempDir
    private Path directory;

    private static List<Path> manifests() throws IOException {
        try (Stream<Path> files = Files.list(DOCKER.resolve("kubernetes"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Object> documents(Path file) throws IOException {
        List<Object> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(Files.readString(file))
                .forEach(documents::add);
        return documents;
    }

    /** What lies at a path of keys and indexes, such as {@code spec}, {@code containers}, {@code 0}. */
    private static Object at(Object node, Object... path) {
        Object found = node;
        for (Object key : path) {
            found = key instanceof Integer index ? ((List<?>) found).get(index) : ((Map<?, ?>) found).get(key);
            assertThat(found).as("%s of %s", key, List.of(path)).isNotNull();
        }
        return found;
    }

    private static List<?> list(Object node, Object... path) {
        return (List<?>) at(node, path);
    }

    /** The manifest with pods; each file has one. */
    private static Object workload(Path manifest) throws IOException {
        List<Object> found = documents(manifest).stream()
                .filter(it -> List.of("DaemonSet", "StatefulSet").contains(at(it, "kind")))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** Reads it as {@code run --config} does; secrets, which are no part of these files, stand in a file of their own. */
    private void check(String configuration) throws IOException {
        Path secret = Files.writeString(directory.resolve("token"), "secret\n");
        Path file = Files.writeString(
                directory.resolve("millrace.yaml"),
                SECRET.matcher(configuration).replaceAll(Matcher.quoteReplacement("${file:" + secret + "}")));
        new ConfigLoader(OutputTypes.ALL, Map.of()).load(file, new Overrides());
    }

    @Test
    void composeFileMountsExistingFiles() throws IOException {
        Map<?, ?> services = (Map<?, ?>) at(documents(COMPOSE).get(0), "services");
        List<Path> mounted = services.values().stream()
                .filter(service -> ((Map<?, ?>) service).containsKey("volumes"))
                .flatMap(service -> list(service, "volumes").stream())
                .map(volume -> volume.toString().split(":", -1)[0])
                .filter(source -> source.startsWith("."))
                .map(DOCKER::resolve)
                .toList();
        assertThat(mounted)
                .hasSizeGreaterThan(5)
                .allSatisfy(file -> assertThat(file).exists());
    }

    @Test
    void composeConfigurationIsValid() throws IOException {
        check(Files.readString(DOCKER.resolve("compose/millrace.yaml")));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void manifestConfigurationIsValid(Path manifest) throws IOException {
        Object map = documents(manifest).get(0);
        assertThat(at(map, "kind")).isEqualTo("ConfigMap");
        check(at(map, "data", "millrace.yaml").toString());
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void podsHaveMinimalPermissions(Path manifest) throws IOException {
        Object workload = workload(manifest);
        Object pod = at(workload, "spec", "template", "spec");
        Object service = at(pod, "containers", 0);
        List<Object> volumes = new ArrayList<>();
        list(pod, "volumes").forEach(volume -> volumes.add(at(volume, "name")));
        if (at(workload, "kind").equals("StatefulSet")) {
            volumes.add(at(workload, "spec", "volumeClaimTemplates", 0, "metadata", "name"));
        }
        assertThat(list(service, "volumeMounts").stream().map(mount -> at(mount, "name")))
                .containsExactlyInAnyOrderElementsOf(volumes);
        assertThat(list(service, "volumeMounts").stream().map(mount -> at(mount, "mountPath")))
                .contains("/data", "/tmp", "/etc/millrace");
        assertThat(at(service, "securityContext", "readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(at(service, "securityContext", "allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(at(service, "securityContext", "capabilities", "drop")).isEqualTo(List.of("ALL"));
        assertThat(at(pod, "terminationGracePeriodSeconds")).isEqualTo(60);
        assertThat(at(workload, "spec", "selector", "matchLabels"))
                .isEqualTo(at(workload, "spec", "template", "metadata", "labels"));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void kubernetesSchemaAcceptsTheManifests(Path manifest) throws Exception {
        accepted("kubernetes-validate (PyPI)", "kubernetes-validate", "--strict", manifest.toString());
    }

    @Test
    void composeSchemaAcceptsTheFile() throws Exception {
        accepted("docker-compose (Debian)", "docker-compose", "-f", COMPOSE.toString(), "config", "-q");
    }

    private static void accepted(String from, String... command) throws Exception {
        Process program;
        try {
            program = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            System.err.println("skipped: " + from + " is not installed");
            Assumptions.abort(from + " is not installed");
            return;
        }
        String said = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).as(said).isZero();
    }
}
