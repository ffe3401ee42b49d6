package io.millrace.structure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public types of packages, and the signatures of what programs can call there. */
public final class PublicApi {
    private static final List<String> ALLOWED = List.of("java.", "javax.", "io.micrometer.", "org.slf4j.");

    /** Methods that each record or enum has. */
    private static final Set<String> IMPLIED = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    private final List<JavaClass> types;
    private final Predicate<JavaClass> isApi;

    /**
     * Creates it.
     *
     * @param isApi true for the classes whose public ones are the API, and for those that their signatures may mention
     */
    public PublicApi(JavaClasses classes, Predicate<JavaClass> isListed, Predicate<JavaClass> isApi) {
        this.isApi = isApi;
        this.types = classes.stream()
                .filter(type -> isListed.test(type) && isVisible(type))
                .sorted(Comparator.comparing(JavaClass::getName))
                .toList();
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicApi::isVisible).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC)
                && !modifiers.contains(JavaModifier.BRIDGE);
    }

    /** The names of the types that are not nested in others. */
    public List<String> topLevelTypes() {
        return types.stream()
                .filter(type -> !type.isNestedClass())
                .map(JavaClass::getName)
                .toList();
    }

    /** The signatures that mention a type which is neither of the API nor of a library that programs know. */
    public List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        for (JavaClass type : types) {
            Stream.concat(type.getRawInterfaces().stream(), type.getRawSuperclass().stream())
                    .filter(this::isHidden)
                    .forEach(of -> leaks.add(type.getName() + " is a " + of.getName()));
            for (JavaMember member : members(type)) {
                involved(member)
                        .filter(this::isHidden)
                        .forEach(of -> leaks.add(type.getName() + "." + member.getName() + " has " + of.getName()));
            }
        }
        return leaks;
    }

    private boolean isHidden(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return !base.isPrimitive()
                && !(isApi.test(base) && isVisible(base))
                && ALLOWED.stream().noneMatch(base.getName()::startsWith);
    }

    private static Stream<JavaClass> involved(JavaMember member) {
        Stream<JavaClass> types = member.getAllInvolvedRawTypes().stream();
        return member instanceof JavaCodeUnit code
                ? Stream.concat(types, code.getThrowsClause().getTypes().stream())
                : types;
    }

    private static List<JavaMember> members(JavaClass type) {
        return type.getMembers().stream()
                .filter(PublicApi::isVisible)
                .filter(member -> member.getOwner().equals(type) && !IMPLIED.contains(member.getName()))
                .sorted(Comparator.comparing(PublicApi::signature))
                .toList();
    }

    /** The signatures as text: a line per type, and one per member. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (JavaClass type : types) {
            text.append(text.isEmpty() ? "" : "\n").append(header(type)).append('\n');
            members(type)
                    .forEach(member ->
                            text.append("    ").append(signature(member)).append('\n'));
        }
        return text.toString();
    }

    private static String header(JavaClass type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String base = type.getSuperclass()
                .filter(of -> !of.getName().startsWith("java.lang."))
                .map(of -> " extends " + name(of))
                .orElse("");
        String interfaces =
                type.getInterfaces().stream().map(PublicApi::name).sorted().collect(Collectors.joining(", "));
        return kind + " " + type.getName() + parameters(type.getTypeParameters()) + base
                + (interfaces.isEmpty() ? "" : " : " + interfaces);
    }

    private static String parameters(List<? extends JavaTypeVariable<?>> variables) {
        return variables.isEmpty()
                ? ""
                : variables.stream().map(JavaTypeVariable::getName).collect(Collectors.joining(", ", "<", ">"));
    }

    private static String signature(JavaMember member) {
        String modifiers = Stream.of(JavaModifier.PROTECTED, JavaModifier.STATIC, JavaModifier.ABSTRACT)
                .filter(member.getModifiers()::contains)
                .map(modifier -> modifier.name().toLowerCase(java.util.Locale.ROOT) + " ")
                .collect(Collectors.joining());
        if (!(member instanceof JavaCodeUnit code)) {
            return modifiers + member.getName() + ": "
                    + name(((com.tngtech.archunit.core.domain.JavaField) member).getType());
        }
        String thrown =
                code.getThrowsClause().getTypes().stream().map(PublicApi::name).collect(Collectors.joining(", "));
        return modifiers
                + (code.isConstructor() ? "new" : code.getName())
                + code.getParameterTypes().stream().map(PublicApi::name).collect(Collectors.joining(", ", "(", ")"))
                + (code.isConstructor() ? "" : ": " + name(code.getReturnType()))
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String name(JavaType type) {
        if (type instanceof JavaClass array && array.isArray()) {
            return name(array.getComponentType()) + "[]";
        }
        return type.getName().replaceAll("\\b(?:[a-z][a-z0-9]*\\.)+(?=[A-Z])", "");
    }

    /** Compares the text with a file, or writes it there with {@code -Dmillrace.docs.write=true}; returns what the file should have. */
    public String expected(Path file) throws IOException {
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(file, text(), UTF_8);
        }
        return Files.readString(file, UTF_8);
    }
}
