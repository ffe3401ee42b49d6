package io.millrace.app.alert;

import io.millrace.app.fault.Fault;
import io.millrace.app.report.HostName;
import io.millrace.app.report.Node;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What people are told: a fault has begun, still lasts, or has ended.
 *
 * @param kind the key of the kind of fault, {@link #SUMMARY} or {@link #TEST}
 * @param subject the subject of the fault
 * @param level its level
 * @param state whether it has begun or ended
 * @param repeated true if its beginning was told before
 * @param summary what is wrong, or was
 * @param cause its cause; null if the summary says it
 * @param remedy what to do; null if the summary says it
 * @param page the page of the documentation about it, from {@code docs}
 * @param since when the fault began
 * @param at when the notification was created
 */
record Notification(
        String kind,
        String subject,
        Fault.Level level,
        State state,
        boolean repeated,
        String summary,
        @Nullable String cause,
        @Nullable String remedy,
        String page,
        Instant since,
        Instant at) {
    /** The kind of a notification that stands for others. */
    static final String SUMMARY = "summary";

    /** The kind of a notification about nothing. */
    static final String TEST = "test";

    private static final String ALERTS_PAGE = "operate/alerts.md";

    /** Longer than what a person reads; a destination may answer with more. */
    private static final int MAX_TEXT = 2_000;

    /** Whether a fault has begun or ended. */
    enum State {
        FIRING,
        RESOLVED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Notification of(Fault fault, State state, boolean repeated, Instant since, Instant at) {
        return new Notification(
                fault.kind().key(),
                fault.subject(),
                fault.level(),
                state,
                repeated,
                shortened(fault.summary()),
                fault.detail() == null ? null : shortened(fault.detail()),
                fault.remedy(),
                fault.page(),
                since,
                at);
    }

    /** One notification for those above the limit. */
    static Notification summary(int begun, int ended, Instant since, Instant at) {
        return new Notification(
                SUMMARY,
                Fault.OTHERS,
                begun > 0 ? Fault.Level.DEGRADED : Fault.Level.NOTICE,
                begun > 0 ? State.FIRING : State.RESOLVED,
                false,
                String.format(Locale.ROOT, "%,d more faults began or last, and %,d ended", begun, ended),
                null,
                "'millrace status' and /api/status list the faults",
                ALERTS_PAGE,
                since,
                at);
    }

    /** A notification about nothing, to try a target. */
    static Notification test(Instant at) {
        return new Notification(
                TEST,
                "service",
                Fault.Level.NOTICE,
                State.FIRING,
                false,
                "this is a test of the alerts, nothing is wrong",
                null,
                null,
                ALERTS_PAGE,
                at,
                at);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /**
     * The notification as JSON, without secrets.
     *
     * @param missed how many earlier ones could not be sent
     */
    String json(Sender sender, long missed) {
        return new Node()
                .put("kind", kind)
                .put("subject", subject)
                .put("level", level.word())
                .put("state", state.word())
                .put("repeated", repeated)
                .put("summary", summary)
                .put("cause", cause)
                .put("remedy", remedy)
                .put("page", page)
                .put("since", since)
                .put("at", at)
                .put("host", sender.host())
                .put("service", "millrace")
                .put("version", sender.version())
                .put("missed", missed)
                .put("text", text(sender.host()))
                .json();
    }

    /** All of it in one line, for services that show a field {@code text}. */
    private String text(String host) {
        String end = state == State.RESOLVED || remedy == null ? "" : " (" + remedy + ")";
        String what = cause == null || state == State.RESOLVED ? summary : summary + ": " + cause;
        return "millrace on " + host + ", " + state.word() + ": " + what + end;
    }

    /**
     * Who tells it.
     *
     * @param host the name of the host
     * @param version of the service
     */
    record Sender(String host, String version) {
        static Sender here(String version) {
            return new Sender(HostName.get(), version);
        }
    }
}
