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
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Finds source files and methods that are too long. */
public final class SourceLength {
    private static final int MAX_FILE_LINES = 400;
    private static final int MAX_METHOD_LINES = 60;

    private SourceLength() {}

    /** Lists files and methods under a source folder that are longer than a reader can take in. */
    public static List<String> tooLong(Path sources) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(it -> it.toString().endsWith(".java")).toList();
        }
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            int lines = Files.readAllLines(file).size();
            if (lines > MAX_FILE_LINES) {
                found.add(file + ": " + lines + " lines");
            }
        }
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
