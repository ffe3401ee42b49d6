package io.millrace.app.alert;

import io.millrace.app.fault.Fault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Limits notifications per minute. At the end of the minute, one stands for those above the limit. Notices take at most half
 * of the limit, so that many silent sources, which may be forged, do not hide a fault of the service. One thread.
 */
final class NotificationLimit {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int perMinute;
    private boolean begun;
    private long minuteNs;
    private int admitted;
    private int begins;
    private int ends;
    private Instant since = Instant.EPOCH;

    NotificationLimit(int perMinute) {
        this.perMinute = perMinute;
    }

    /** Returns those that may be sent now. To be called regularly, with an empty list as well. */
    List<Notification> admit(List<Notification> notifications, long nowNs, Instant now) {
        List<Notification> out = new ArrayList<>();
        if (!begun || nowNs - minuteNs >= MINUTE_NS) {
            begun = true;
            minuteNs = nowNs;
            admitted = 0;
            if (begins + ends > 0) {
                out.add(Notification.summary(begins, ends, since, now));
                admitted = 1;
                begins = 0;
                ends = 0;
            }
        }
        for (Notification each : notifications) {
            boolean isNotice = each.level() == Fault.Level.NOTICE;
            if (admitted < (isNotice ? perMinute / 2 : perMinute)) {
                admitted++;
                out.add(each);
            } else {
                since = begins + ends == 0 ? now : since;
                begins += each.state() == Notification.State.FIRING ? 1 : 0;
                ends += each.state() == Notification.State.RESOLVED ? 1 : 0;
            }
        }
        return out;
    }
}
