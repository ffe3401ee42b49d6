package io.millrace.structure;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sizes of source files: of methods there is a limit; long files and full packages are reported, because only a person knows where to split. */
public final class SourceLength {
    private static final int LONG_FILE = 400;
    private static final int FULL_PACKAGE = 22;
    private static final int MAX_METHOD_LINES = 60;

    private SourceLength() {}

    /** Lists the methods under a source folder that are too long; prints long files and full packages. */
    public static List<String> tooLong(Path sources) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(it -> it.toString().endsWith(".java")).toList();
        }
        report(files);
        List<String> found = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new LongMethods(unit, positions, found).scan(unit, null);
            }
        }
        return found;
    }

    private static void report(List<Path> files) throws IOException {
        for (Path file : files) {
            int lines = Files.readAllLines(file).size();
            if (lines > LONG_FILE) {
                System.err.println("Long file: " + file + " has " + lines + " lines");
            }
        }
        Map<Path, Long> packages = files.stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
        packages.forEach((folder, count) -> {
            if (count > FULL_PACKAGE) {
                System.err.println("Full package: " + folder + " has " + count + " files");
            }
        });
    }

    private static final class LongMethods extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;

        LongMethods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, method));
            long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, method));
            if (last - first + 1 > MAX_METHOD_LINES) {
                found.add(unit.getSourceFile().getName() + ":" + first + ": " + method.getName() + " has "
                        + (last - first + 1) + " lines");
            }
            return super.visitMethod(method, null);
        }
    }
}
