package io.millrace.collector;

import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.deliver.DeliveryStage;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.write.Retention;
import io.millrace.internal.receive.ReceiveStage;
import io.millrace.internal.sources.SourceTracker;
import io.millrace.journal.Journal;
import org.jspecify.annotations.Nullable;

/** The parts of a started collector. */
record Running(
        DataDirectory directory,
        CounterFile counters,
        LedgerAccounting ledger,
        ReceiveStage receive,
        JournalStage writing,
        Journal journal,
        @Nullable Watching watching,
        DeliveryStage delivery,
        Retaining retaining,
        NeededThreads threads,
        long journalOpenNs) {
    /** Replaces the policy, also for source tracking: a denied source is not silent. */
    void setPolicy(PolicySettings policy) {
        receive.setPolicy(policy);
        if (watching != null) {
            watching.denied(policy);
        }
    }

    /** Changes when sources are silent, if they are tracked. */
    void setSilentAfter(SilenceRules rules) {
        if (watching != null) {
            watching.watch().rules(before -> rules.denying(before.denied()));
        }
    }

    /** The retention and its thread. */
    record Retaining(Retention retention, AgentRunner runner) {}

    /** Source tracking and its thread. */
    record Watching(SourceTracker watch, AgentRunner runner) {
        /** Sets which sources a policy denies. */
        void denied(PolicySettings policy) {
            NetworkSet networks = policy.networks();
            watch.rules(rules -> rules.denying(
                    source -> networks != null && !source.isLocal() && !networks.allows(source.network())));
        }

        void stop() {
            runner.close();
            watch.close();
        }
    }
}
