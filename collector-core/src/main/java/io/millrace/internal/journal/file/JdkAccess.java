package io.millrace.internal.journal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.values.LongValue;

/** The access to packages of the JDK that Chronicle needs. Without it Chronicle fails later, with errors that do not say so. */
final class JdkAccess {
    private static final List<String> OPENED = List.of("sun.nio.ch", "java.lang.reflect");
    private static final String EXPORTED = "jdk.internal.ref";

    private JdkAccess() {}

    /**
     * Checks the access.
     *
     * @throws IOException if it is missing; the message has the flags to add
     */
    static void check() throws IOException {
        Module jdk = Object.class.getModule();
        Module chronicle = LongValue.class.getModule();
        String name = chronicle.isNamed() ? chronicle.getName() : "ALL-UNNAMED";
        List<String> missing = new ArrayList<>();
        for (String opened : OPENED) {
            if (!jdk.isOpen(opened, chronicle)) {
                missing.add("--add-opens java.base/" + opened + "=" + name);
            }
        }
        if (!jdk.isExported(EXPORTED, chronicle)) {
            missing.add("--add-exports java.base/" + EXPORTED + "=" + name);
        }
        if (!missing.isEmpty()) {
            throw new IOException("Chronicle Queue needs access to packages of the JDK: start java with "
                    + String.join(" ", missing));
        }
    }
}
