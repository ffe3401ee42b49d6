package io.millrace.output.internal.http;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says of the records of a request: all are stored; some cannot be stored, and it is unknown which; or something of each. An error
 * of the destination is none: it is an {@link IOException}.
 */
public final class HttpVerdict {
    private enum Kind {
        ALL,
        SOME,
        EACH
    }

    private static final HttpVerdict ALL = new HttpVerdict(Kind.ALL, 200, "", 0);
    private static final int TOO_LONG = 413;
    private static final int NONE = -1;

    private final Kind kind;
    private final int status;
    private final String reason;
    private boolean partly;
    private boolean patient;
    private int suspect = NONE;

    /** Of each record: null if it is stored. */
    private final @Nullable String[] reasons;

    private final boolean[] later;
    private int rejected;
    private int delayed;
    private @Nullable String type;
    private boolean alike = true;

    private HttpVerdict(Kind kind, int status, String reason, int records) {
        this.kind = kind;
        this.status = status;
        this.reason = reason;
        this.reasons = new String[records];
        this.later = new boolean[records];
    }

    /** All are stored. */
    public static HttpVerdict all() {
        return ALL;
    }

    /** A record is invalid, or the request is too long. */
    public static HttpVerdict some(HttpAnswer answer, String reason) {
        return new HttpVerdict(Kind.SOME, answer.status(), reason, 0);
    }

    /**
     * A record is invalid.
     *
     * @param suspect the place in the request of the one that it may be; beyond the request if unknown
     */
    public static HttpVerdict some(HttpAnswer answer, String reason, long suspect) {
        HttpVerdict verdict = some(answer, reason);
        verdict.suspect = (int) Math.max(NONE, Math.min(Integer.MAX_VALUE, suspect));
        return verdict;
    }

    /** Some records are invalid, and the others are stored. */
    public static HttpVerdict partly(HttpAnswer answer, String reason) {
        HttpVerdict verdict = some(answer, reason);
        verdict.partly = true;
        return verdict;
    }

    /** Something of each record: all are stored, until {@link #reject} or {@link #later} says otherwise. */
    public static HttpVerdict each(int records) {
        return new HttpVerdict(Kind.EACH, 200, "", records);
    }

    /**
     * What the status says.
     *
     * @throws IOException if the destination is at fault
     */
    public static HttpVerdict byStatus(HttpAnswer answer) throws IOException {
        if (answer.isSuccess()) {
            return ALL;
        }
        if (answer.isAboutContent()) {
            return some(answer, answer.text());
        }
        throw new IOException(answer.text());
    }

    /**
     * What the status of a known interface says, which answers with no page.
     *
     * @throws IOException if the destination is at fault, or is something else
     */
    public static HttpVerdict byStatusOf(String name, HttpAnswer answer) throws IOException {
        if (answer.isSuccess() && answer.isPage()) {
            throw new IOException("a page is the answer, so this is not " + name + ": " + answer.text());
        }
        return byStatus(answer);
    }

    /**
     * The destination will never store a record.
     *
     * @param index its place in the request
     * @param errorType what kind of error it is, by which records are found that are rejected alike
     */
    public void reject(int index, String errorType, String why) {
        reasons[index] = why;
        rejected++;
        alike &= type == null || type.equals(errorType);
        type = errorType;
    }

    /** As {@link #reject}; but if no record of the request is stored, the output first waits for somebody who helps. */
    public void rejectLater(int index, String errorType, String why) {
        reject(index, errorType, why);
        patient = true;
    }

    /** The destination cannot store a record now. */
    public void later(int index, String why) {
        reasons[index] = why;
        later[index] = true;
        delayed++;
    }

    boolean isAll() {
        return kind == Kind.ALL;
    }

    boolean isEach() {
        return kind == Kind.EACH;
    }

    /** True if the output waits before it rejects anything. */
    boolean isPatient() {
        return patient;
    }

    boolean isTooLong() {
        return status == TOO_LONG;
    }

    boolean isPartly() {
        return partly;
    }

    /** The place in the request of the record that may be invalid; -1 if unknown. */
    int suspect() {
        return suspect;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    /** The type of error that all records have; null if there is none. */
    @Nullable
    String sameError() {
        return alike && rejected == reasons.length ? type : null;
    }

    boolean hasStored() {
        return kind == Kind.ALL || partly || (kind == Kind.EACH && rejected + delayed < reasons.length);
    }

    /** Why a record is not stored; null if it is stored, or if that is to be tried again. */
    @Nullable
    String rejection(int index) {
        return later[index] ? null : reasons[index];
    }

    boolean isStored(int index) {
        return reasons[index] == null;
    }

    /**
     * Checks that nothing has to be sent again.
     *
     * @throws IOException if something has
     */
    void checkNoneIsLeft() throws IOException {
        if (delayed > 0) {
            int first = 0;
            while (!later[first]) {
                first++;
            }
            throw new IOException(delayed + " of " + reasons.length + " records were not taken: " + reasons[first]);
        }
    }

    @Override
    public String toString() {
        return kind == Kind.EACH
                ? kind + ": rejected " + rejected + ", later " + delayed + ", " + Arrays.toString(reasons)
                : kind + " " + reason;
    }
}
