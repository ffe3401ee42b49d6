package io.millrace.output.internal.forward;

import io.millrace.collector.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Whether the host name of a destination still has the address of an open connection. It is looked up by a thread of its own, because the
 * resolver of the system may take long, and nothing can interrupt it. One thread, except for {@link #lookUpAgain}.
 */
final class DestinationName {
    /** How long a caller waits for a lookup; with a resolver that takes longer, a later call gets the result. */
    private static final long PATIENCE_MS = 500;

    private final Resolver resolver;
    private final long everyNs;
    private final boolean isName;
    private @Nullable FutureTask<Set<InetAddress>> lookup;
    private long lookedUpNs;
    private volatile boolean requested;

    /** Looks a name up. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses() throws UnknownHostException;
    }

    /**
     * Creates one.
     *
     * @param host a name, or an address, which never changes
     * @param every how often a name is looked up while a connection is open; zero for never
     */
    DestinationName(String host, Duration every) {
        this(host, every, () -> InetAddress.getAllByName(host));
    }

    DestinationName(String host, Duration every, Resolver resolver) {
        this.resolver = resolver;
        this.everyNs = every.toNanos();
        this.isName = !isAddress(host);
    }

    private static boolean isAddress(String host) {
        try {
            var unused = Network.parse(host.replaceFirst("^\\[(.*)]$", "$1"));
            return true;
        } catch (IllegalArgumentException itIsAName) {
            return false;
        }
    }

    /** A connection was opened, for which the name was looked up. */
    void connected() {
        lookup = null;
        requested = false;
        lookedUpNs = System.nanoTime();
    }

    /** The next {@link #hasLeft} looks the name up. Any thread. */
    void lookUpAgain() {
        requested = true;
    }

    /**
     * Looks the name up, if it is time.
     *
     * @param address the one of the open connection
     * @return true if the name has other addresses now; false also if it cannot be looked up now
     */
    boolean hasLeft(InetAddress address) throws InterruptedException {
        FutureTask<Set<InetAddress>> now = lookup;
        if (now == null) {
            if (!isDue()) {
                return false;
            }
            requested = false;
            now = begin();
            lookup = now;
        } else if (!now.isDone()) {
            return false;
        } else if (isDue()) {
            // What it found may have changed since.
            now = begin();
            lookup = now;
        }
        try {
            Set<InetAddress> addresses = now.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            lookup = null;
            return !addresses.contains(address);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // The connection works, and says more about the destination than a resolver that fails.
            lookup = null;
            return false;
        }
    }

    private boolean isDue() {
        return isName && (requested || (everyNs > 0 && System.nanoTime() - lookedUpNs >= everyNs));
    }

    private FutureTask<Set<InetAddress>> begin() {
        lookedUpNs = System.nanoTime();
        FutureTask<Set<InetAddress>> task = new FutureTask<>(() -> new HashSet<>(Arrays.asList(resolver.addresses())));
        Thread thread = new Thread(task, "millrace-resolve");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
