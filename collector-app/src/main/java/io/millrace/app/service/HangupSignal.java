package io.millrace.app.service;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGHUP, by which services are asked to read their configuration again. */
final class HangupSignal {
    private static final Logger LOG = LoggerFactory.getLogger(HangupSignal.class);

    private HangupSignal() {}

    /**
     * Has something done at each SIGHUP, on a thread of the JVM; without it the JVM ends at the first.
     *
     * @return false if this JVM leaves its signals to others, as with {@code -Xrs}
     */
    static boolean handle(Runnable task) {
        // The class is there in every JDK, but not for a compiler that looks at the documented API alone.
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
