package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.Threading;
import org.jspecify.annotations.Nullable;

/**
 * The assumptions of an examination.
 *
 * @param collector the settings of {@code run}
 * @param outputs the number of outputs
 * @param rate datagrams per second the host has to take
 * @param rateGiven true if the rate was given; else it is an assumption
 * @param heapBytes the maximum heap of the service
 * @param grantedReceiveBuffer the receive buffer that the kernel granted; null if unknown
 * @param inService true if this process is the service
 * @param diskTest true to test the speed of the disk
 */
public record DoctorSettings(
        CollectorSettings collector,
        int outputs,
        long rate,
        boolean rateGiven,
        long heapBytes,
        @Nullable Integer grantedReceiveBuffer,
        boolean inService,
        boolean diskTest) {
    /** The assumed rate in datagrams per second. */
    public static final long ASSUMED_RATE = 100_000;

    /** The assumed bytes per datagram in the journal: 230 of payload and the frame. */
    static final long JOURNAL_BYTES_PER_DATAGRAM = 256;

    /**
     * Creates the settings for a service that is to run on this host.
     *
     * @param rate null for {@link #ASSUMED_RATE}
     */
    public static DoctorSettings before(
            CollectorSettings collector, int outputs, @Nullable Long rate, boolean diskTest) {
        long taken = rate == null ? ASSUMED_RATE : rate;
        long heap = Runtime.getRuntime().maxMemory();
        return new DoctorSettings(collector, outputs, taken, rate != null, heap, null, false, diskTest);
    }

    /** Creates the settings for the running service: cheap checks that write nothing. */
    public static DoctorSettings within(CollectorSettings collector, int outputs, int grantedReceiveBuffer) {
        long heap = Runtime.getRuntime().maxMemory();
        return new DoctorSettings(collector, outputs, ASSUMED_RATE, false, heap, grantedReceiveBuffer, true, false);
    }

    int sockets() {
        return collector.inputs().size() * collector.receivers();
    }

    long connections() {
        return collector.streams().stream()
                .filter(input -> input.endpoint().isStream())
                .mapToLong(input -> input.settings().get(StreamSettings.MAX_CONNECTIONS))
                .sum();
    }

    int receivingThreads() {
        return collector.receivers() * (collector.get(CollectorSettings.THREADING) == Threading.DEDICATED ? 2 : 1);
    }

    long slabBytes() {
        return (long) collector.receivers()
                * collector.get(CollectorSettings.SLABS)
                * collector.get(CollectorSettings.SLAB_BYTES);
    }

    /** For example {@code 50,000 per second}, with a note if it is an assumption. */
    String rateText() {
        return Amounts.count(rate) + " per second" + (rateGiven ? "" : " (assumed)");
    }
}
