package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Threading;
import org.jspecify.annotations.Nullable;

/**
 * What a host is looked at for.
 *
 * @param collector what {@code run} would run with
 * @param outputs how many outputs there are
 * @param rate datagrams per second the host has to take
 * @param rateGiven somebody said so; else the rate is an assumption
 * @param heapBytes the most heap the service may take
 * @param grantedReceiveBuffer what the kernel granted, if it was asked; null if not
 * @param inService this process is the service
 * @param diskTest write to the disk for a moment
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
    /** Datagrams per second, where nobody says how many. */
    public static final long ASSUMED_RATE = 100_000;

    /** Bytes in the journal a datagram: an assumption, 230 of payload and the frame. */
    static final long JOURNAL_BYTES_PER_DATAGRAM = 256;

    /**
     * For a service that is to run on this host.
     *
     * @param rate null for {@link #ASSUMED_RATE}
     */
    public static DoctorSettings before(
            CollectorSettings collector, int outputs, @Nullable Long rate, boolean diskTest) {
        return new DoctorSettings(
                collector,
                outputs,
                rate == null ? ASSUMED_RATE : rate,
                rate != null,
                Runtime.getRuntime().maxMemory(),
                null,
                false,
                diskTest);
    }

    /** From within the service: cheap, and nothing is written. */
    public static DoctorSettings within(CollectorSettings collector, int outputs, int grantedReceiveBuffer) {
        return new DoctorSettings(
                collector,
                outputs,
                ASSUMED_RATE,
                false,
                Runtime.getRuntime().maxMemory(),
                grantedReceiveBuffer,
                true,
                false);
    }

    int sockets() {
        return collector.inputs().size() * collector.receivers();
    }

    int receivingThreads() {
        return collector.receivers() * (collector.threading() == Threading.DEDICATED ? 2 : 1);
    }

    long slabBytes() {
        return (long) collector.receivers() * collector.slabsPerRing() * collector.slabBytes();
    }

    /** {@code 50,000 per second}, and whether that is assumed. */
    String rateText() {
        return Amounts.count(rate) + " a second" + (rateGiven ? "" : " (assumed)");
    }
}
