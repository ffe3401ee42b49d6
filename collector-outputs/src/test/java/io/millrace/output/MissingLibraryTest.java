package io.millrace.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What a program meets that has not added the library of an output. */
class MissingLibraryTest {
    /** What a program does, loaded without the optional libraries. */
    public static final class Kafka implements Callable<Object> {
        @Override
        public Object call() {
            return io.millrace.output.kafka.KafkaSettings.builder()
                    .brokers("127.0.0.1:9092")
                    .topic("logs")
                    .build();
        }
    }

    /** The same with files that are compressed. */
    public static final class Zstd implements Callable<Object> {
        @Override
        public Object call() {
            return files().compress(Compression.ZSTD).build();
        }
    }

    /** The same with files that are not. */
    public static final class Gzip implements Callable<Object> {
        @Override
        public Object call() {
            return files().compress(Compression.GZIP).build().sink("files");
        }
    }

    private static io.millrace.output.file.FileSettings.Builder files() {
        return io.millrace.output.file.FileSettings.builder().path("/tmp/all.log");
    }

    private static Object callWithoutLibraries(Class<?> program) throws Exception {
        List<URL> path = new ArrayList<>();
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String each : all.split(File.pathSeparator, -1)) {
            if (!each.contains("kafka-clients") && !each.contains("zstd-jni")) {
                path.add(Path.of(each).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Object made = loader.loadClass(program.getName()).getConstructor().newInstance();
            return Callable.class.getMethod("call").invoke(made);
        }
    }

    @Test
    void isNamedWhenSettingsNeedIt() throws Exception {
        assertThatThrownBy(() -> callWithoutLibraries(Kafka.class))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("an output to Kafka needs the library org.apache.kafka:kafka-clients on the class path");
        assertThatThrownBy(() -> callWithoutLibraries(Zstd.class))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("compression zstd needs the library com.github.luben:zstd-jni on the class path");
        assertThat(callWithoutLibraries(Gzip.class)).isNotNull();
    }
}
