package io.millrace.simulation;

import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import java.time.Duration;
import java.util.SplittableRandom;

/** The settings of the collector in a history, and how it is used: chosen by the seed. */
final class HistoryPlan {
    static final int BLOCK_BYTES = Integer.getInteger("millrace.sim.block", 64 << 10);

    final int shards;
    final int slabs;
    final int slabBytes;
    final int payloadBytes;
    final long rollBytes;
    final long retentionBytes;
    final int batchRecords;
    final int clients;
    final int outputs;
    final SyncSettings sync;
    /** Starts of the collector; all but the last end in a crash or a stop. */
    final int lives;

    HistoryPlan(SplittableRandom random) {
        shards = random.nextInt(4) == 0 ? 2 : 1;
        slabs = 2 + random.nextInt(3);
        slabBytes = 4096 << random.nextInt(2);
        payloadBytes = 20 + random.nextInt(400);
        rollBytes = random.nextInt(3) == 0 ? 1L << 30 : 4096L << random.nextInt(5);
        retentionBytes = random.nextInt(3) == 0 ? 1L << 19 : 0;
        batchRecords = 1 + random.nextInt(60);
        clients = random.nextInt(3);
        outputs = 1 + random.nextInt(2);
        sync = switch (random.nextInt(5)) {
            case 0 -> SyncSettings.PAGE_CACHE;
            case 1, 2 -> SyncSettings.BATCH;
            default -> SyncSettings.interval(Duration.ofSeconds(1));
        };
        lives = 2 + random.nextInt(3);
    }

    WriterSettings writer() {
        return new WriterSettings(rollBytes, BLOCK_BYTES, null, sync);
    }
}
