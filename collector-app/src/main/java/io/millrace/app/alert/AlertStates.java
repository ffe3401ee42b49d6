package io.millrace.app.alert;

import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of each alert. A fault fires when it has lasted for {@code after}, and is resolved when it has been gone for as
 * long, so that one that comes and goes is one alert. One thread.
 */
final class AlertStates {
    /** The maximum number of faults of a kind that are tracked: forged source addresses must not fill the memory. */
    static final int MAX_OF_KIND = 200;

    private record Key(FaultKind kind, String subject) {
        static Key of(Fault fault) {
            return new Key(fault.kind(), fault.subject());
        }
    }

    /** A fault that lasts, or has just gone. */
    private static final class Alert {
        private final Instant since;
        private final long beganNs;
        private final long before;
        private Fault fault;
        private long most;
        private boolean firing;
        private long toldNs;
        private boolean gone;
        private long goneNs;

        Alert(Fault fault, Instant since, long beganNs) {
            this.fault = fault;
            this.since = since;
            this.beganNs = beganNs;
            this.before = fault.ending() == null ? -1 : fault.ending().before();
        }

        void lasts(Fault now) {
            fault = now;
            gone = false;
            most = now.ending() == null ? 0 : Math.max(most, now.ending().amount());
        }

        Notification firing(boolean repeated, Instant now) {
            return Notification.of(fault, Notification.State.FIRING, repeated, since, now);
        }

        Notification resolved(Instant now) {
            Fault past = fault.ended(before, most, Duration.ofNanos(goneNs - beganNs));
            return Notification.of(past, Notification.State.RESOLVED, false, since, now);
        }
    }

    private final Map<Key, Alert> alerts = new LinkedHashMap<>();

    /**
     * Compares the faults with those before.
     *
     * @param faults the current faults; one that {@linkplain Fault#standsForOthers() stands for others} says that its kind is not complete
     * @param after how long a fault lasts before it fires, and is gone before it is resolved
     * @param repeat how often a firing one is told again; zero for never
     * @param nowNs the time by {@link System#nanoTime()}
     * @return what is to be told
     */
    List<Notification> update(List<Fault> faults, Duration after, Duration repeat, long nowNs, Instant now) {
        List<Notification> told = new ArrayList<>();
        Set<Key> seen = new HashSet<>();
        Set<FaultKind> incomplete = EnumSet.noneOf(FaultKind.class);
        for (Fault fault : faults) {
            if (fault.standsForOthers()) {
                incomplete.add(fault.kind());
            }
            Key key = Key.of(fault);
            if (!seen.add(key)) {
                continue;
            }
            Alert alert = alerts.get(key);
            if (alert == null && hasRoom(fault.kind())) {
                alert = new Alert(fault, now, nowNs);
                alerts.put(key, alert);
            }
            if (alert != null) {
                lasts(alert, fault, after, repeat, nowNs, now, told);
            }
        }
        alerts.entrySet()
                .removeIf(each -> !seen.contains(each.getKey())
                        && isOver(each.getKey(), each.getValue(), incomplete, after, nowNs, now, told));
        return told;
    }

    private boolean hasRoom(FaultKind kind) {
        return alerts.keySet().stream().filter(key -> key.kind() == kind).count() < MAX_OF_KIND;
    }

    private static void lasts(
            Alert alert,
            Fault fault,
            Duration after,
            Duration repeat,
            long nowNs,
            Instant now,
            List<Notification> told) {
        alert.lasts(fault);
        if (!alert.firing && nowNs - alert.beganNs >= after.toNanos()) {
            alert.firing = true;
            alert.toldNs = nowNs;
            told.add(alert.firing(false, now));
        } else if (alert.firing && !repeat.isZero() && nowNs - alert.toldNs >= repeat.toNanos()) {
            alert.toldNs = nowNs;
            told.add(alert.firing(true, now));
        }
    }

    /** True if an alert whose fault is not in the list is to be removed. */
    private static boolean isOver(
            Key key,
            Alert alert,
            Set<FaultKind> incomplete,
            Duration after,
            long nowNs,
            Instant now,
            List<Notification> told) {
        if (!alert.firing) {
            return true;
        }
        // The fault may be among the others, which have no name in the list.
        if (incomplete.contains(key.kind())) {
            return false;
        }
        if (!alert.gone) {
            alert.gone = true;
            alert.goneNs = nowNs;
        }
        if (nowNs - alert.goneNs < after.toNanos()) {
            return false;
        }
        told.add(alert.resolved(now));
        return true;
    }

    List<Fault> firing() {
        return alerts.values().stream()
                .filter(alert -> alert.firing)
                .map(alert -> alert.fault)
                .toList();
    }
}
