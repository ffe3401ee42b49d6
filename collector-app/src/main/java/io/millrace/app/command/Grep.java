package io.millrace.app.command;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.millrace.internal.filter.Regex;
import io.millrace.message.InputRules;
import io.millrace.message.LogRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The regular expression of {@code --grep}, in RE2 syntax: it takes linear time, whatever the messages contain. One thread. */
final class Grep {
    private final Pattern pattern;
    private final LogRecord converted = LogRecord.of(InputRules.DEFAULT);
    private @Nullable Matcher matcher;

    private Grep(Pattern pattern) {
        this.pattern = pattern;
    }

    /** True if the expression matches somewhere in the message as it was received, or in UTF-8 if it has another charset. */
    boolean matches(LogRecord record) {
        LogRecord text = record.isConverted() && converted.wrapExpanded(record) ? converted : record;
        byte[] message = Arrays.copyOfRange(text.bytes(), text.begin(), text.end());
        Matcher reused = matcher;
        if (reused == null) {
            reused = pattern.matcher(message);
            matcher = reused;
        } else {
            reused.reset(message);
        }
        return reused.find();
    }

    static final class Converter implements ITypeConverter<Grep> {
        @Override
        public Grep convert(String text) {
            try {
                return new Grep(Regex.pattern(text));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("accepts a regular expression in RE2 syntax, not '" + text + "': "
                        + String.valueOf(e.getMessage())
                                .replace("a regular expression in RE2 syntax belongs here: ", ""));
            }
        }
    }
}
