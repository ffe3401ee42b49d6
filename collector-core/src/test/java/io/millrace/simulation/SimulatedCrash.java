package io.millrace.simulation;

/** The process of the simulation has ended: whatever it does from now on has no effect. */
final class SimulatedCrash extends RuntimeException {
    private static final long serialVersionUID = 1;

    SimulatedCrash() {
        super("the simulated process has crashed", null, false, false);
    }
}
