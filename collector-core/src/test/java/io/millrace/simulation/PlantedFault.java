package io.millrace.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A fault that is planted in the code: the text of a source file that is replaced. The changed class is compiled in memory, and a class
 * loader of its own has it together with the rest of the collector and the simulation.
 *
 * @param name what is wrong then
 * @param source the source file below {@code io/millrace}
 * @param text occurs once in it
 * @param replacement the fault
 */
record PlantedFault(String name, String source, String text, String replacement) {
    private static final Path SOURCES = Path.of("src/main/java/io/millrace");
    private static final String OURS = "io.millrace.";

    @Override
    public String toString() {
        return name;
    }

    /**
     * The classes with the fault.
     *
     * @throws IllegalStateException if the text is not there exactly once, or the result does not compile
     */
    ClassLoader plant() throws IOException {
        String code = Files.readString(SOURCES.resolve(source));
        int at = code.indexOf(text);
        if (at < 0 || code.indexOf(text, at + 1) >= 0) {
            throw new IllegalStateException(
                    source + (at < 0 ? " does not have" : " has more than once") + " the text: " + text);
        }
        return new ChildFirst(compile(code.substring(0, at) + replacement + code.substring(at + text.length())));
    }

    private Map<String, byte[]> compile(String code) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try (InMemory files = new InMemory(compiler.getStandardFileManager(messages, Locale.ROOT, null))) {
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            messages,
                            List.of("-proc:none", "-nowarn", "-classpath", path),
                            null,
                            List.of(new Source(URI.create("string:///io/millrace/" + source), code)))
                    .call();
            if (!compiled) {
                throw new IllegalStateException(messages.getDiagnostics().stream()
                        .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                        .toList()
                        .toString());
            }
            Map<String, byte[]> classes = new HashMap<>();
            files.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(URI uri, String code) {
            super(uri, Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return code;
        }
    }

    /** Keeps the compiled classes in memory. */
    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }

    /** Loads our classes itself, and all others as its parent does. */
    private static final class ChildFirst extends ClassLoader {
        private final Map<String, byte[]> changed;

        ChildFirst(Map<String, byte[]> changed) {
            super(PlantedFault.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = changed.get(name);
            if (bytes == null) {
                try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (in == null) {
                        throw new ClassNotFoundException(name);
                    }
                    bytes = in.readAllBytes();
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
