package io.millrace.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.edit.Editor;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.message.Edit;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of the edits of an output, in ns per message of 17 pairs, parsing and JSON included. {@code NONE} is the baseline.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar EditBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class EditBenchmark extends Suite {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L;
    private static final byte[] MESSAGE =
            ("<189>date=2026-11-21 time=10:00:00 devname=\"fw-hq\" devid=\"FG100E0000000001\""
                            + " logid=\"0000000013\" type=\"traffic\" subtype=\"forward\" level=\"notice\" srcip=192.0.2.5 srcport=52814"
                            + " dstip=198.51.100.9 dstport=443 proto=6 action=\"accept\" policyid=12 sentbyte=1500 rcvdbyte=8000")
                    .getBytes(UTF_8);

    public enum Case {
        /** For comparison. */
        NONE(),
        /** A field of the header, from two others. */
        SET_HEADER(Edit.set("hostname", "{hostname}.{appname}")),
        /** A new value, from another one. */
        SET_VALUE(Edit.set("fields.level2", "{fields.level}")),
        RENAME(Edit.rename("fields.srcip", "fields.source.ip")),
        REMOVE(Edit.remove("fields.devid")),
        TRUNCATE(Edit.truncate(null, 64)),
        /** An expression that matches once. */
        REDACT(Edit.redact("devid=\"[^\"]+\"", "devid=\"***\"", null)),
        /** A preset that finds nothing. */
        REDACT_SECRETS(Edit.redact(Edit.Preset.SECRETS, null, null)),
        /** Two addresses. */
        IP_ADDRESSES(Edit.pseudonyms("0123456789abcdef", null)),
        /** Four of them. */
        SEVERAL(
                Edit.set("hostname", "{hostname}.{appname}"),
                Edit.rename("fields.srcip", "fields.source.ip"),
                Edit.remove("fields.devid"),
                Edit.pseudonyms("0123456789abcdef", null));

        @SuppressWarnings("ImmutableEnumChecker") // An unmodifiable list.
        private final List<Edit> edits;

        Case(Edit... edits) {
            this.edits = List.of(edits);
        }
    }

    /** The edits. */
    @Param
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private Case of;

    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
    private final JsonFormat format = new JsonFormat();
    private final LineBuffer line = new LineBuffer();

    @SuppressWarnings("NullAway.Init") // Set by prepare.
    private Editor editor;

    /** Creates the editor. */
    @Setup
    public void prepare() {
        editor = new Editor(of.edits, false);
    }

    /** Parses, edits and writes. */
    @Benchmark
    public int edit() {
        line.clear();
        format.write(editor.edit(record.wrap(MESSAGE, 0, MESSAGE.length, RECEIVED_NS)), line);
        return line.length();
    }
}
