package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.SWAP;

import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;

/** Check whether memory is in swap: of the service, or of any process. */
final class SwapCheck {
    private static final String PATH = "/proc/swaps";
    private static final int COLUMN_USED = 3;

    private SwapCheck() {}

    static void look(Examination examination) {
        String text = examination.file(SWAP, PATH);
        if (text == null) {
            return;
        }
        long kib = text.lines()
                .skip(1)
                .map(ProcText::words)
                .map(it -> it.length > COLUMN_USED ? ProcText.number(it[COLUMN_USED]) : null)
                .mapToLong(it -> it == null ? 0 : it)
                .sum();
        long own = examination.process().running() ? ownKib(examination) : 0;
        Remediation remediation =
                Remediation.advice("give the host more memory, or the service: MemorySwapMax=0 in its unit");
        if (own > 0) {
            examination.add(
                    SWAP,
                    FindingSeverity.RISK,
                    ByteSize.text(own << 10) + " of the service are in swap",
                    examination.process().proc() + "/status (VmSwap)",
                    remediation);
        } else if (kib > 0) {
            examination.add(SWAP, FindingSeverity.NOTE, ByteSize.text(kib << 10) + " are in swap", PATH, remediation);
        } else {
            examination.ok(SWAP, "none in use", PATH);
        }
    }

    private static long ownKib(Examination examination) {
        String status = examination
                .host()
                .read(examination.process().proc() + "/status")
                .text();
        Long kib = status == null ? null : ProcText.number(ProcText.field(status, "VmSwap"));
        return kib == null ? 0 : kib;
    }
}
