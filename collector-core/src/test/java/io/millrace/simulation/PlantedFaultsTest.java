package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds faults: each of these is planted in the code, and a history must break a promise. It prints the number of histories. */
@Tag("full")
class PlantedFaultsTest {
    private static final int MAX_HISTORIES = Integer.getInteger("millrace.sim.histories", 4000);
    private static final String WRITER = "internal/journal/write/JournalWriter.java";
    private static final String SYNC = "internal/journal/write/ShardSync.java";
    private static final String ALLOCATION = "internal/journal/file/FileAllocation.java";
    private static final String DELIVERY = "internal/deliver/Delivery.java";
    private static final String ACCOUNTING = "internal/journal/recovery/CrashAccounting.java";

    static Stream<PlantedFault> faults() {
        return List.of(
                new PlantedFault("a journal file is not synced", SYNC, "                file.sync(false);\n", ""),
                new PlantedFault(
                        "the directory of a new file is not synced",
                        SYNC,
                        "            if (withDirectory) {",
                        "            if (withDirectory && now.isEmpty()) {"),
                new PlantedFault(
                        "the end mark of an earlier file is not synced", WRITER, "            sync.began(last);\n", ""),
                new PlantedFault(
                        "a sync that failed counts as one",
                        SYNC,
                        "            throw new IOException(problem, e);\n",
                        "            problem = null;\n"),
                new PlantedFault(
                        "RELP is answered before the sync",
                        WRITER,
                        "        if (!syncsIntervals) {",
                        "        if (batchesBefore >= 0) {"),
                new PlantedFault(
                        "a slab is released before it is appended",
                        WRITER,
                        "            pending = slab;\n",
                        "            pending = slab;\n            slab.batch().reset();\n"),
                new PlantedFault(
                        "sequence numbers are used twice",
                        WRITER,
                        "        nextSequence += count;",
                        "        nextSequence += count - (count > 20 ? 1 : 0);"),
                new PlantedFault(
                        "a batch is counted twice",
                        WRITER,
                        "        countedTo += batch.count();",
                        "        countedTo += batch.count() * (batch.count() == 7 ? 2 : 1);"),
                new PlantedFault(
                        "received datagrams are counted twice",
                        "internal/receive/SlabFiller.java",
                        "counters.add(Counter.RECEIVED_DATAGRAMS, datagrams);",
                        "counters.add(Counter.RECEIVED_DATAGRAMS, datagrams > 20 ? 2 * datagrams : datagrams);"),
                new PlantedFault(
                        "datagrams in memory are not counted at a crash",
                        ACCOUNTING,
                        "            counters.add(DropReason.CRASH.counter(), lost);\n",
                        ""),
                new PlantedFault(
                        "numbers continue after a power failure without a gap",
                        ACCOUNTING,
                        "        return hostFailed ? Math.max(counters.reservedTo(), counted) : counted;",
                        "        return hostFailed ? journalEnd : counted;"),
                new PlantedFault(
                        "the bound of the reserved numbers is too low",
                        "internal/counters/ShardCells.java",
                        "        longs.setRelease(buffer, offset, sequence);",
                        "        longs.setRelease(buffer, offset, sequence - (1 << 14));"),
                new PlantedFault(
                        "the journal is not recovered after a power failure",
                        WRITER,
                        "            PowerFailure.recover(directory, shard, counters);\n",
                        ""),
                new PlantedFault(
                        "the CRC of a batch is not checked",
                        "internal/record/BatchView.java",
                        "        return (int) crc.getValue() == buffer.getInt(offset + BatchLayout.CRC);",
                        "        return true;"),
                new PlantedFault(
                        "the prepared next file is not cleared",
                        ALLOCATION,
                        "            Disk.of(spare).deleteIfExists(spare);\n",
                        ""),
                new PlantedFault(
                        "positions move before the acknowledgement",
                        DELIVERY,
                        "        deliveryCounters.sent(batch);\n",
                        "        deliveryCounters.sent(batch);\n        positions = new Positions(positions.journalId(),"
                                + " filler.next(), positions.counts(), positions.range());\n"),
                new PlantedFault(
                        "positions are renamed before they are synced",
                        "internal/deliver/PositionFile.java",
                        "            channel.sync(true);\n",
                        ""),
                new PlantedFault(
                        "a batch that failed is not sent again",
                        DELIVERY,
                        "            batch.failedUnlessEnded(ErrorText.of(e));",
                        "            batch.done();"),
                new PlantedFault(
                        "a dead letter is not written",
                        DELIVERY,
                        "        int refused = deadLetters.write(batch);",
                        "        int refused = 0;"),
                new PlantedFault(
                        "retention deletes before the counters are synced",
                        "internal/journal/write/Retention.java",
                        "            counters.shard(shard).sync();\n",
                        ""))
                .stream();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFound(PlantedFault fault) throws ReflectiveOperationException, java.io.IOException {
        Class<?> type = fault.plant().loadClass("io.millrace.simulation.Simulation");
        Method run = type.getMethod("run", long.class);
        String found = null;
        int histories = 0;
        try (AutoCloseable simulation = (AutoCloseable) type.getConstructor().newInstance()) {
            while (found == null && histories < MAX_HISTORIES) {
                histories++;
                found = (String) run.invoke(simulation, (long) histories);
            }
        } catch (ReflectiveOperationException | RuntimeException | java.io.IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        assertThat(found).as("a violation in " + histories + " histories").isNotNull();
        System.out.println("PlantedFaultsTest: | " + fault.name() + " | " + histories + " | "
                + found.lines().findFirst().orElse("") + " |");
    }
}
