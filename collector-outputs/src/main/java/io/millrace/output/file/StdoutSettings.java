package io.millrace.output.file;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;

/** Settings of an output to standard output, one line per message. */
public final class StdoutSettings extends OutputSettings {
    /** The type {@code stdout}. */
    public static final OutputType TYPE = new OutputType(
            "stdout",
            "Prints messages on the standard output of the service, one per line.",
            List.of(FORMAT),
            BatchSettings.PROMPT,
            StdoutSettings::new);

    private StdoutSettings(Settings values) {
        super(TYPE, values);
    }

    /** The settings with a format of messages. */
    public static StdoutSettings of(LineFormat format) {
        return new StdoutSettings(Settings.DEFAULTS.with(FORMAT, format));
    }

    @Override
    public Sink sink(String output) {
        return new StdoutSink(values().get(FORMAT), new FileOutputStream(FileDescriptor.out));
    }
}
