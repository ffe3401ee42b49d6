package io.millrace.app.fault;

import io.millrace.collector.DropReason;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.text.DurationText;
import io.millrace.internal.text.ForeignText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the running service now. Kind and subject identify it while it lasts; the texts may change.
 *
 * @param kind what kind of fault it is
 * @param subject what it is about: the name of an output or an input, the address of a source, a drop reason
 * @param level how bad it is
 * @param summary what is wrong, for anybody who can reach the service
 * @param detail its cause, such as what a destination has answered; null if the summary says it
 * @param remedy what to do; null if the text says it
 * @param ending what is said of it when it has ended; null for the summary
 */
public record Fault(
        FaultKind kind,
        String subject,
        Level level,
        String summary,
        @Nullable String detail,
        @Nullable String remedy,
        @Nullable Ending ending) {
    /** Creates a fault of whose end the same is said. */
    public Fault(
            FaultKind kind,
            String subject,
            Level level,
            String summary,
            @Nullable String detail,
            @Nullable String remedy) {
        this(kind, subject, level, summary, detail, remedy, null);
    }

    /**
     * What is said of a fault when it has ended.
     *
     * @param text a sentence in the past tense, in which <code>{amount}</code> is the amount, and <code>{time}</code> how long it lasted
     * @param amount the amount now
     * @param before the amount before the fault began, if it only grows and the difference counts; -1 if the greatest counts
     */
    public record Ending(String text, long amount, long before) {
        /** Without an amount. */
        static Ending of(String text) {
            return new Ending(text, 0, -1);
        }

        /** With the greatest of the amounts while the fault lasts. */
        static Ending most(String text, long amount) {
            return new Ending(text, amount, -1);
        }

        /**
         * With how much an amount has grown.
         *
         * @param total the amount since the start
         * @param recent what of it belongs to this fault, if it begins now
         */
        static Ending total(String text, long total, long recent) {
            return new Ending(text, total, total - recent);
        }
    }

    /** Adds what is said of its end. */
    Fault ending(Ending how) {
        return new Fault(kind, subject, level, summary, detail, remedy, how);
    }

    /**
     * This fault after its end, in the past tense.
     *
     * @param before {@link Ending#before} when it began
     * @param most the greatest {@link Ending#amount}
     */
    public Fault ended(long before, long most, Duration lasted) {
        if (ending == null) {
            return this;
        }
        long amount = ending.before() < 0 ? most : ending.amount() - before;
        String text = ending.text()
                .replace("{amount}", String.format(Locale.ROOT, "%,d", amount))
                .replace("{time}", DurationText.of(lasted));
        return new Fault(kind, subject, level, text, detail, remedy, ending);
    }

    /** Escapes and shortens what may be words of other hosts: it goes to pages, terminals and alerts. */
    public Fault {
        subject = ForeignText.shown(subject);
        summary = ForeignText.shown(summary);
        detail = detail == null ? null : ForeignText.shown(detail);
    }

    /** The subject that stands for all subjects of a kind that are too many for a list. */
    public static final String OTHERS = "others";

    /** The state of the service. The order is that of their badness. */
    public enum Level {
        /** All is well. */
        OK,
        /** The service works; somebody else may not, such as a source. */
        NOTICE,
        /** Nothing is lost, but something does not work, or soon will not: a destination, a certificate, the disk. */
        DEGRADED,
        /** Datagrams are lost, or nothing is received. */
        FAILING;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** True if it stands for all subjects of its kind that the list has no room for. Only sources can be so many. */
    public boolean standsForOthers() {
        return kind == FaultKind.SOURCE_SILENT && subject.equals(OTHERS);
    }

    public static Level worst(List<Fault> faults) {
        return faults.stream().map(Fault::level).max(Comparator.naturalOrder()).orElse(Level.OK);
    }

    /** The page of the documentation with its remedy, from {@code docs}. */
    public String page() {
        if (kind == FaultKind.SENDER) {
            return subject.endsWith(" " + StreamCounter.REFUSED_DESCRIPTORS.reason())
                    ? "operate/runbook/open-files.md"
                    : "operate/inputs.md";
        }
        return kind != FaultKind.DROPS
                ? kind.page()
                : Arrays.stream(DropReason.values())
                        .filter(reason -> reason.key().equals(subject))
                        .findFirst()
                        .map(Fault::pageOf)
                        .orElseGet(kind::page);
    }

    /** The page of the documentation about a drop reason, from {@code docs}. */
    public static String pageOf(DropReason reason) {
        String link = reason.page();
        return "operate/" + link.substring(link.indexOf('(') + 1, link.indexOf(')'));
    }

    /** What is wrong, with its cause. */
    public String text() {
        return detail == null ? summary : summary + ": " + detail;
    }

    /** The text with the remedy. */
    public String line() {
        return remedy == null ? text() : text() + " (" + remedy + ")";
    }
}
