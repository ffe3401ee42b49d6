package io.millrace.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which internals of the library a module uses. */
public final class InternalUses {
    private static final String INTERNAL = "io.millrace.internal.";

    private InternalUses() {}

    /** The internals that some classes use, by their names below {@code io.millrace.internal}, without nested types. */
    public static SortedSet<String> of(JavaClasses classes, Predicate<JavaClass> by) {
        return of(classes, by, INTERNAL);
    }

    /** The types below a package that some classes use, by their names in it, without nested types. */
    public static SortedSet<String> of(JavaClasses classes, Predicate<JavaClass> by, String prefix) {
        SortedSet<String> names = new TreeSet<>();
        for (JavaClass each : classes) {
            if (by.test(each)) {
                for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                    String target =
                            dependency.getTargetClass().getBaseComponentType().getName();
                    if (target.startsWith(prefix)) {
                        names.add(target.substring(prefix.length()).replaceFirst("\\$.*", ""));
                    }
                }
            }
        }
        return names;
    }
}
