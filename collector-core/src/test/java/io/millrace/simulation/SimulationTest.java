package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The promises of the collector hold in every history of the simulation. The first seed is printed, and that of a history that breaks
 * a promise. For an hour: {@code ./mvnw -pl collector-core test -Dtest=SimulationTest -Dmillrace.sim.seconds=3600}. One history again:
 * {@code -Dmillrace.sim.seed=N}.
 */
class SimulationTest {
    private static final @Nullable Long SEED = Long.getLong("millrace.sim.seed");
    private static final long SECONDS = Long.getLong("millrace.sim.seconds", 10);

    @Test
    void promisesHoldInEveryHistory() throws IOException {
        try (Simulation simulation = new Simulation()) {
            if (SEED != null) {
                assertThat(simulation.run(SEED)).as("seed " + SEED).isNull();
                return;
            }
            long first = System.nanoTime();
            System.out.println("SimulationTest: the first seed is " + first);
            long histories = 0;
            while (System.nanoTime() - first < TimeUnit.SECONDS.toNanos(SECONDS)) {
                long seed = first + histories++;
                assertThat(simulation.run(seed))
                        .as("seed " + seed + ", repeat with -Dmillrace.sim.seed=" + seed)
                        .isNull();
            }
            System.out.println("SimulationTest: " + histories + " histories with " + simulation.crashes()
                    + " crashes and stops, seeds " + first + " to " + (first + histories - 1));
        }
    }

    @Test
    void seedDecidesEverything() throws IOException {
        try (Simulation simulation = new Simulation()) {
            for (long seed = 1; seed <= 20; seed++) {
                assertThat(simulation.run(seed)).isNull();
                long digest = simulation.digest();
                assertThat(simulation.run(seed)).isNull();
                assertThat(simulation.digest()).as("seed " + seed).isEqualTo(digest);
            }
        }
    }
}
