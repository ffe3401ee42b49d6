package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.MEMORY_LIMIT;

import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;

/** Check of the control group's memory limit against the needs of the service. */
final class MemoryLimitCheck {
    /** The JVM's memory for classes, code, threads and Netty's arenas, in addition to heap and slabs. */
    private static final long JVM_BYTES = 160L << 20;

    /** Version 1 writes a number near 2^63 for no limit. */
    private static final long NO_LIMIT = 1L << 60;

    private MemoryLimitCheck() {}

    static void look(Examination examination) {
        ControlGroup group = ControlGroup.of(examination, "memory");
        if (group == null) {
            examination.unavailable(
                    MEMORY_LIMIT,
                    "",
                    "no control groups to be seen",
                    examination.process().proc() + "/cgroup");
            return;
        }
        String file = group.version() == 1 ? "memory.limit_in_bytes" : "memory.max";
        long limit = NO_LIMIT;
        String source = group.directories().get(0) + "/" + file;
        for (String directory : group.directories()) {
            Long value = ProcText.number(
                    examination.host().read(directory + "/" + file).text());
            if (value != null && value < limit) {
                limit = value;
                source = directory + "/" + file;
            }
        }
        if (limit == NO_LIMIT) {
            examination.ok(MEMORY_LIMIT, "no limit", source);
        } else {
            judge(examination, group.version(), limit, source);
        }
    }

    private static void judge(Examination examination, int version, long limit, String source) {
        DoctorSettings settings = examination.settings();
        Long granted = ReceiveBufferCheck.granted(examination);
        long process = settings.heapBytes() + settings.slabBytes() + JVM_BYTES;
        long sockets = version == 1 || granted == null ? 0 : 2 * granted * settings.sockets();
        String seen = ByteSize.text(limit) + "; the service can take " + ByteSize.text(process) + " (heap "
                + ByteSize.text(settings.heapBytes()) + ", slabs " + ByteSize.text(settings.slabBytes())
                + ", the JVM itself about " + ByteSize.text(JVM_BYTES) + ")"
                + (sockets == 0 ? "" : ", and its sockets' buffers " + ByteSize.text(sockets));
        if (limit >= process + sockets) {
            examination.ok(MEMORY_LIMIT, seen, source);
            return;
        }
        long need = ((process + sockets) * 5 / 4) >> 20;
        examination.add(
                MEMORY_LIMIT,
                FindingSeverity.RISK,
                seen,
                source,
                Remediation.advice("allow " + need + " MiB: docker run --memory " + need + "m, MemoryMax=" + need
                        + "M in the unit, resources.limits.memory of the pod; or take a smaller heap (MILLRACE_JAVA_OPTS=-Xmx…)"
                        + " and receive.receiveBuffer"));
    }
}
