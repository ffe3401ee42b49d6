package io.millrace.message;

import io.millrace.internal.format.EcsFormat;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LogfmtFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.format.Rfc5424Format;
import io.millrace.internal.format.template.TemplateFormat;

/** Formatter of a record as one line. One thread. */
public interface LineFormat {
    /**
     * Returns a format.
     *
     * @param format {@code raw} (the bytes as they came), {@code json}, {@code json-flat} (structured data and fields are lists, so
     *     that senders cannot create keys), {@code ecs} (Elastic Common Schema), {@code rfc5424}, {@code logfmt}, or a template with fields in braces
     * @throws IllegalArgumentException if it is no format; the message has the valid ones
     */
    static LineFormat of(String format) {
        return switch (format) {
            case "raw" -> new RawFormat();
            case "json" -> new JsonFormat();
            case "json-flat" -> JsonFormat.flat();
            case "ecs" -> new EcsFormat();
            case "rfc5424" -> new Rfc5424Format();
            case "logfmt" -> new LogfmtFormat();
            default -> TemplateFormat.of(format);
        };
    }

    /** Appends the line with its line feed. */
    void write(LogRecord record, LineBuffer out);

    /** True if it writes the bytes of the message, which changes of its fields do not affect. */
    default boolean writesBytes() {
        return false;
    }

    /** True if each line is a JSON object. */
    default boolean isJson() {
        return false;
    }
}
