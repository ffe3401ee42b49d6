package io.millrace.app.service;

import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handler of SIGHUP, which requests a reload. */
final class HangupSignal {
    private static final Logger LOG = LoggerFactory.getLogger(HangupSignal.class);

    private HangupSignal() {}

    /** True if the process was started with the signal ignored: the JVM leaves it so, see proc_pid_status(5). */
    static boolean isIgnored() {
        try {
            String ignored = ProcText.field(Files.readString(Path.of("/proc/self/status")), "SigIgn");
            // The signal's number is 1, and its bit the lowest.
            return ignored != null && ignored.matches("[0-9a-f]{16}") && (Long.parseUnsignedLong(ignored, 16) & 1) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Calls a handler at each SIGHUP, on a thread of the JVM. Without a handler SIGHUP ends the JVM.
     *
     * @return false if this JVM does not handle signals, as with {@code -Xrs}
     */
    static boolean handle(Runnable task) {
        // The class exists in every JDK, but is not part of the documented API that the compiler sees.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    HangupSignal.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> task.run();
                            case "hashCode" -> {
                                return System.identityHashCode(self);
                            }
                            case "equals" -> {
                                return self == arguments[0];
                            }
                            default -> {
                                return "SIGHUP of millrace";
                            }
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("SIGHUP cannot be handled by this JVM, and ends it: {}", e.toString());
            return false;
        }
    }
}
