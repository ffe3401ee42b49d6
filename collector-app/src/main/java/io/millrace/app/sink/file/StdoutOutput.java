package io.millrace.app.sink.file;

import io.millrace.app.config.BatchSettings;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.OutputType;
import io.millrace.setting.Section;
import io.millrace.sink.Sink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.ZoneId;

/** {@code type: stdout}. */
public final class StdoutOutput implements OutputType {
    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public String help() {
        return "Prints messages on the standard output of the service, one per line.";
    }

    @Override
    public Section settings() {
        return Section.of();
    }

    @Override
    public BatchSettings batch() {
        return BatchSettings.PROMPT;
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        return new StdoutSink(output.settings().get(OutputSettings.FORMAT), new FileOutputStream(FileDescriptor.out));
    }
}
