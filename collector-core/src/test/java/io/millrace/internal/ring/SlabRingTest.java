package io.millrace.internal.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.internal.record.TestDatagram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SlabRingTest {
    private static final int SLAB_BYTES = 4096;

    @Test
    void slabsKeepTheirOrder() {
        SlabRing ring = new SlabRing(5, SLAB_BYTES);
        List<Slab> slabs = takeAllFree(ring);
        for (Slab slab : slabs) {
            ring.submit(slab);
        }
        for (Slab slab : slabs) {
            assertThat(ring.takeFull()).isSameAs(slab);
        }
        assertThat(ring.takeFull()).isNull();
    }

    @Test
    void ringHasTheRequestedNumberOfSlabs() {
        for (int count = 2; count < 20; count++) {
            SlabRing ring = new SlabRing(count, SLAB_BYTES);
            assertThat(ring.slabCount()).isEqualTo(count);
            List<Slab> slabs = takeAllFree(ring);
            assertThat(slabs).hasSize(count).doesNotHaveDuplicates();
            for (int i = 0; i < count; i++) {
                assertThat(slabs.get(i).index()).isEqualTo(i);
                assertThat(slabs.get(i).batch().buffer()).isSameAs(ring.memory(i));
                assertThat(ring.memory(i).isDirect()).isTrue();
                assertThat(ring.memory(i).capacity()).isEqualTo(SLAB_BYTES);
            }
        }
    }

    @Test
    void takeFreeReturnsNullUntilASlabIsReleased() {
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        List<Slab> slabs = takeAllFree(ring);
        slabs.forEach(ring::submit);
        assertThat(ring.takeFree()).isNull();
        Slab written = ring.takeFull();
        assertThat(ring.takeFree()).as("while it is written").isNull();
        ring.release(written);
        assertThat(ring.takeFree()).isSameAs(written);
        assertThat(ring.takeFree()).isNull();
    }

    @Test
    void ringOfOneThreadTakesTheSlabThatWasReleasedLast() {
        SlabRing ring = SlabRing.ofOneThread(3, SLAB_BYTES);
        List<Slab> slabs = takeAllFree(ring);
        assertThat(slabs).hasSize(3);
        slabs.forEach(ring::submit);
        for (int i = 0; i < 3; i++) {
            ring.release(ring.takeFull());
        }
        assertThat(takeAllFree(ring)).containsExactly(slabs.get(2), slabs.get(1), slabs.get(0));
    }

    @Test
    void releasedSlabIsEmpty() {
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        Slab slab = ring.takeFree();
        int empty = slab.batch().length();
        assertThat(TestDatagram.of("x").appendTo(slab.batch())).isTrue();
        ring.submit(slab);
        assertThat(ring.takeFull().batch().count()).isEqualTo(1);
        ring.release(slab);
        assertThat(slab.batch().count()).isZero();
        assertThat(slab.batch().length()).isEqualTo(empty);
    }

    @Test
    void depthCountsSlabsThatWaitForTheWriter() {
        SlabRing ring = new SlabRing(3, SLAB_BYTES);
        assertThat(ring.isDrained()).isTrue();
        ring.submit(ring.takeFree());
        ring.submit(ring.takeFree());
        assertThat(ring.depth()).isEqualTo(2);
        assertThat(ring.isDrained()).isFalse();
        ring.release(ring.takeFull());
        assertThat(ring.depth()).isEqualTo(1);
        assertThat(ring.takeFull()).isNotNull();
        assertThat(ring.depth()).isZero();
        assertThat(ring.isDrained()).isTrue();
    }

    @Test
    void slabOfAnotherRingIsRefused() {
        SlabRing ring = new SlabRing(4, SLAB_BYTES);
        Slab stranger = new SlabRing(4, SLAB_BYTES).takeFree();
        assertThatIllegalStateException()
                .isThrownBy(() -> ring.release(stranger))
                .withMessageContaining("slab 0");
        takeAllFree(ring).forEach(ring::submit);
        assertThatIllegalStateException()
                .isThrownBy(() -> ring.submit(stranger))
                .withMessageContaining("slab 0");
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // Two threads on one CPU must make progress too.
    void slabsPassUnchangedBetweenTwoThreads() {
        int rounds = 200_000;
        SlabRing ring = new SlabRing(8, SLAB_BYTES);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            // The slab is plain memory: only the queues order its reads and writes.
            CompletableFuture<Void> receiver = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < rounds; i++) {
                    Slab slab = ring.takeFree();
                    while (slab == null) {
                        Thread.yield();
                        slab = ring.takeFree();
                    }
                    slab.batch().buffer().putInt(0, i).putInt(SLAB_BYTES - 4, ~i);
                    ring.submit(slab);
                }
            });
            for (int i = 0; i < rounds; i++) {
                Slab slab = ring.takeFull();
                while (slab == null) {
                    assertThat(receiver.isCompletedExceptionally()).isFalse();
                    Thread.yield();
                    slab = ring.takeFull();
                }
                int first = slab.batch().buffer().getInt(0);
                int last = slab.batch().buffer().getInt(SLAB_BYTES - 4);
                if (first != i || last != ~i) {
                    throw new AssertionError("handoff " + i + " came as " + first + " and " + ~last);
                }
                ring.release(slab);
            }
            receiver.join();
        });
        assertThat(takeAllFree(ring)).hasSize(8).doesNotHaveDuplicates();
        assertThat(ring.isDrained()).isTrue();
    }

    @Test
    void writerSleepsUntilASlabIsSubmitted() throws InterruptedException {
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        Thread writer = new Thread(ring::awaitFull, "writer");
        writer.start();
        await().until(() -> writer.getState() == Thread.State.WAITING);
        ring.submit(ring.takeFree());
        writer.join(10_000);
        assertThat(writer.isAlive()).isFalse();
    }

    @Test
    void writerDoesNotSleepWhileASlabWaits() {
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        ring.submit(ring.takeFree());
        assertTimeoutPreemptively(Duration.ofSeconds(10), ring::awaitFull);
        ring.takeFull();
        ring.submit(ring.takeFree());
        assertTimeoutPreemptively(Duration.ofSeconds(10), ring::awaitFull);
    }

    /** The receiver submits one slab at a time, in the moment in which the writer falls asleep. */
    @Test
    void noWakeUpIsLost() {
        int rounds = 50_000;
        SlabRing ring = new SlabRing(2, SLAB_BYTES);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < rounds; i++) {
                    Slab slab = ring.takeFull();
                    while (slab == null) {
                        ring.awaitFull();
                        slab = ring.takeFull();
                    }
                    ring.release(slab);
                }
            });
            for (int i = 0; i < rounds; i++) {
                Slab slab = ring.takeFree();
                while (slab == null) {
                    Thread.onSpinWait();
                    slab = ring.takeFree();
                }
                ring.submit(slab);
                while (!ring.isDrained()) {
                    Thread.onSpinWait();
                }
            }
            writer.join();
        });
    }

    private static List<Slab> takeAllFree(SlabRing ring) {
        List<Slab> slabs = new ArrayList<>();
        for (Slab slab = ring.takeFree(); slab != null; slab = ring.takeFree()) {
            slabs.add(slab);
        }
        return slabs;
    }
}
