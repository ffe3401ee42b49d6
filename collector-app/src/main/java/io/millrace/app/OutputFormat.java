package io.millrace.app;

import io.millrace.format.JsonFormat;
import io.millrace.format.LineFormat;
import io.millrace.format.LogfmtFormat;
import io.millrace.format.RawFormat;
import io.millrace.format.Rfc5424Format;
import io.millrace.format.TemplateFormat;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --format}. */
final class OutputFormat implements ITypeConverter<LineFormat> {
    static final String DESCRIPTION = "raw (the bytes as they came), json, rfc5424, logfmt, or a template such as"
            + " '{timestamp} {hostname} {appname}: {message}'";

    @Override
    public LineFormat convert(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "raw" -> new RawFormat();
            case "json" -> new JsonFormat();
            case "rfc5424" -> new Rfc5424Format();
            case "logfmt" -> new LogfmtFormat();
            default -> template(text);
        };
    }

    private static LineFormat template(String text) {
        if (text.indexOf('{') < 0) {
            throw new TypeConversionException("takes " + DESCRIPTION + ", not '" + text + "'");
        }
        try {
            return TemplateFormat.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
