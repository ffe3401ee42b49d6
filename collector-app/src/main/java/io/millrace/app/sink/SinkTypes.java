package io.millrace.app.sink;

import io.millrace.app.config.OutputTypes;
import io.millrace.app.sink.file.FileOutput;
import io.millrace.app.sink.file.StdoutOutput;
import io.millrace.app.sink.http.HttpOutput;
import io.millrace.app.sink.kafka.KafkaOutput;
import io.millrace.app.sink.relp.RelpOutput;
import io.millrace.app.sink.s3.S3Output;
import io.millrace.app.sink.syslog.SyslogOutput;
import java.util.List;

/** The types of outputs of the service. */
public final class SinkTypes {
    /** In the order of the reference. */
    public static final OutputTypes ALL = new OutputTypes(List.of(
            new FileOutput(),
            new KafkaOutput(),
            new HttpOutput(),
            new S3Output(),
            new SyslogOutput(),
            new RelpOutput(),
            new StdoutOutput()));

    private SinkTypes() {}
}
