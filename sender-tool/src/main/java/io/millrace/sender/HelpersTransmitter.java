package io.millrace.sender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Divides the sources among several helper programs, so that more than one CPU sends. */
final class HelpersTransmitter implements Transmitter {
    private static final int PROGRAMS = HelperTransmitter.PROGRAMS;

    /** Neighbours go to the same program, which sends them together. */
    private static final int NEIGHBOURS = 64;

    private final List<HelperTransmitter> helpers = new ArrayList<>();

    private HelpersTransmitter() {}

    /** Starts all programs, or none. */
    static HelpersTransmitter start(Path program, Endpoints endpoints) throws IOException {
        HelpersTransmitter all = new HelpersTransmitter();
        try {
            for (int i = 0; i < PROGRAMS; i++) {
                all.helpers.add(HelperTransmitter.start(program, endpoints));
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw e;
        }
    }

    /** Runs the same code, and sends nothing. */
    static HelpersTransmitter idling() throws IOException {
        HelpersTransmitter all = new HelpersTransmitter();
        for (int i = 0; i < PROGRAMS; i++) {
            all.helpers.add(HelperTransmitter.idling());
        }
        return all;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        helpers.get(source / NEIGHBOURS % PROGRAMS).send(source, datagram);
    }

    @Override
    public void due(long nanoTime) {
        for (HelperTransmitter helper : helpers) {
            helper.due(nanoTime);
        }
    }

    @Override
    public long grainNanos() {
        return helpers.get(0).grainNanos();
    }

    @Override
    public void idle() throws IOException {
        for (HelperTransmitter helper : helpers) {
            helper.idle();
        }
    }

    /** What the programs report takes the place of what was handed to them. */
    @Override
    public void drain(Tally tally) throws IOException {
        tally.sent = 0;
        tally.bytes = 0;
        tally.late = 0;
        tally.maxLateNanos = 0;
        IOException failure = null;
        for (HelperTransmitter helper : helpers) {
            Tally one = new Tally();
            try {
                helper.drain(one);
            } catch (IOException e) {
                failure = e;
            }
            tally.add(one);
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void finish(int thread, int threads, Tally tally) {
        // The reports were all.
    }

    @Override
    public void close() throws IOException {
        for (HelperTransmitter helper : helpers) {
            helper.close();
        }
    }
}
