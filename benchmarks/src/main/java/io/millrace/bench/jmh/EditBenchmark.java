package io.millrace.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.edit.AddressPseudonyms;
import io.millrace.internal.edit.Edit;
import io.millrace.internal.edit.Editor;
import io.millrace.internal.edit.Redaction;
import io.millrace.internal.edit.RedactionPreset;
import io.millrace.internal.edit.RemoveField;
import io.millrace.internal.edit.RenameField;
import io.millrace.internal.edit.SetField;
import io.millrace.internal.edit.Truncation;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LineBuffer;
import io.millrace.internal.format.LogRecord;
import io.millrace.internal.parse.SyslogParser;
import java.time.ZoneOffset;
import java.util.List;
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

    /** Edits. */
    public enum Case {
        /** For comparison. */
        NONE(),
        /** A field of the header, from two others. */
        SET_HEADER(SetField.of("hostname", "{hostname}.{appname}")),
        /** A new value, from another one. */
        SET_VALUE(SetField.of("fields.level2", "{fields.level}")),
        RENAME(RenameField.of("fields.srcip", "fields.source.ip")),
        REMOVE(RemoveField.of("fields.devid")),
        TRUNCATE(Truncation.of(null, 64)),
        /** An expression that matches once. */
        REDACT(Redaction.of("devid=\"[^\"]+\"", "devid=\"***\"", null)),
        /** A preset that finds nothing. */
        REDACT_SECRETS(Redaction.of(RedactionPreset.SECRETS, null, null)),
        /** Two addresses. */
        IP_ADDRESSES(AddressPseudonyms.of("0123456789abcdef", null)),
        /** Four of them. */
        SEVERAL(
                SetField.of("hostname", "{hostname}.{appname}"),
                RenameField.of("fields.srcip", "fields.source.ip"),
                RemoveField.of("fields.devid"),
                AddressPseudonyms.of("0123456789abcdef", null));

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

    private final LogRecord record = new LogRecord(new SyslogParser(ZoneOffset.UTC));
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
