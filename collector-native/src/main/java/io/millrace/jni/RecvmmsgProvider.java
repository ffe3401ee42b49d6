package io.millrace.jni;

import io.millrace.transport.DatagramReader;
import io.millrace.transport.DatagramReaderProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The transport {@code native}: {@code recvmmsg(2)} with JNI. */
public final class RecvmmsgProvider implements DatagramReaderProvider {
    /** Loads the library and probes it, once per process. */
    private static final class Library {
        static final @Nullable String PROBLEM = problem();

        private Library() {}

        private static @Nullable String problem() {
            try {
                String problem = NativeLibrary.load("millrace");
                if (problem != null) {
                    return problem;
                }
                if (Recvmmsg.version() != Recvmmsg.VERSION) {
                    return "its library is from another version of Millrace: install the library of this version";
                }
                int result = Recvmmsg.probe();
                return result == 0 ? null : "the kernel probe failed: " + Errno.text(-result);
            } catch (RuntimeException | LinkageError e) {
                return "its library cannot be used: " + e;
            }
        }
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public @Nullable String unavailableBecause() {
        return Library.PROBLEM;
    }

    @Override
    public boolean isForAuto() {
        return true;
    }

    @Override
    public boolean tellsTime() {
        return true;
    }

    @Override
    public boolean canSplit() {
        return true;
    }

    @Override
    public DatagramReader open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps)
            throws IOException {
        return new RecvmmsgReader(descriptor, maxDatagramBytes, gro, packetTimestamps);
    }
}
