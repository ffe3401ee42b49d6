package io.millrace.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is fuzzed: see {@link FuzzRun}. A module's targets are public classes among its tests, named in
 * {@code src/test/resources/fuzz/targets}. One thread.
 */
public abstract class FuzzTarget {
    private static final int LONGEST = 1024;

    private final String name;

    /** A target, and the name it is asked for by. */
    protected FuzzTarget(String name) {
        this.name = name;
    }

    /** Those of the module in whose folder this process runs; a module without a list has none. */
    public static List<FuzzTarget> all() throws IOException, ReflectiveOperationException {
        List<FuzzTarget> targets = new ArrayList<>();
        Path list = FuzzCorpus.FOLDER.resolve("targets");
        for (String name : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
            targets.add(Class.forName(name)
                    .asSubclass(FuzzTarget.class)
                    .getConstructor()
                    .newInstance());
        }
        return targets;
    }

    static FuzzTarget of(String name) throws IOException, ReflectiveOperationException {
        return all().stream()
                .filter(target -> target.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public final String toString() {
        return name;
    }

    /** Looks at what is made of the bytes; what it throws is a finding. */
    protected abstract void take(byte[] bytes) throws IOException;

    /** What to begin with. */
    protected abstract List<byte[]> seeds() throws IOException;

    /** The most bytes of an input. */
    protected int longest() {
        return LONGEST;
    }

    /** Throws, with these words, if something is not right. */
    protected static void that(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }
}
