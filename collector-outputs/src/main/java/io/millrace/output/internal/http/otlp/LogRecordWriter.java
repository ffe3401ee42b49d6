package io.millrace.output.internal.http.otlp;

import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.StructuredData;
import io.millrace.journal.DatagramView;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.message.Severity;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;

/**
 * Writer of a {@code LogRecord} of the <a href="https://opentelemetry.io/docs/specs/otel/logs/data-model/">OpenTelemetry data model</a>, with the numbers of
 * {@code opentelemetry/proto/logs/v1/logs.proto}. Attributes have the names of the Collector's
 * <a href="https://github.com/open-telemetry/opentelemetry-collector-contrib/tree/main/receiver/syslogreceiver">syslog receiver</a>. One thread.
 */
final class LogRecordWriter {
    // The fields of a LogRecord.
    private static final int TIME = 1;
    private static final int SEVERITY_NUMBER = 2;
    private static final int SEVERITY_TEXT = 3;
    private static final int BODY = 5;
    private static final int ATTRIBUTES = 6;
    private static final int OBSERVED_TIME = 11;

    // Those of KeyValue, KeyValueList and AnyValue.
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int STRING = 1;
    private static final int INT = 3;
    private static final int KEY_VALUES = 6;
    private static final int MEMBERS = 1;

    /** The number of each severity: data model, appendix B. */
    private static final int[] SEVERITIES = {21, 19, 18, 17, 13, 10, 9, 5};

    private static final byte[] FACILITY = LineBuffer.bytes("facility");
    private static final byte[] PRIORITY = LineBuffer.bytes("priority");
    private static final byte[] VERSION = LineBuffer.bytes("version");
    private static final byte[] HOSTNAME = LineBuffer.bytes("hostname");
    private static final byte[] APPNAME = LineBuffer.bytes("appname");
    private static final byte[] PROC_ID = LineBuffer.bytes("proc_id");
    private static final byte[] MSG_ID = LineBuffer.bytes("msg_id");
    private static final byte[] STRUCTURED_DATA = LineBuffer.bytes("structured_data");
    private static final byte[] PEER_ADDRESS = LineBuffer.bytes("network.peer.address");
    private static final byte[] PEER_PORT = LineBuffer.bytes("network.peer.port");
    private static final byte[] INPUT = LineBuffer.bytes("millrace.input");

    private final StructuredData data = new StructuredData();
    private final LineBuffer text = new LineBuffer();
    private final LineBuffer value = new LineBuffer();
    private final LineBuffer pair = new LineBuffer();
    private final LineBuffer elements = new LineBuffer();
    private final LineBuffer parameters = new LineBuffer();

    /** Writes a record without its identity. */
    void write(LogRecord record, LineBuffer out) {
        SyslogMessage message = record.message();
        long timeNs = message.timestampNs();
        if (timeNs != SyslogMessage.NO_TIME && timeNs > 0) {
            Protobuf.fixed64(TIME, timeNs, out);
        }
        Protobuf.fixed64(OBSERVED_TIME, record.receiveTimeNs(), out);
        Severity severity = message.severity();
        Protobuf.number(SEVERITY_NUMBER, SEVERITIES[severity.code()], out);
        byte[] keyword = LineBuffer.bytes(severity.keyword());
        Protobuf.bytes(SEVERITY_TEXT, keyword, 0, keyword.length, out);
        body(record, message, out);
        int facility = message.facility().code();
        number(FACILITY, facility, out);
        number(PRIORITY, (facility << 3) | severity.code(), out);
        if (message.version() > 0) {
            number(VERSION, message.version(), out);
        }
        field(HOSTNAME, RecordField.HOSTNAME, record, out);
        field(APPNAME, RecordField.APPNAME, record, out);
        field(PROC_ID, RecordField.PROCID, record, out);
        field(MSG_ID, RecordField.MSGID, record, out);
        if (message.has(Field.STRUCTURED_DATA)) {
            structuredData((ParsedMessage) message, out);
        }
        DatagramView datagram = record.datagram();
        if (datagram != null && RecordField.SOURCE_IP.isIn(record)) {
            text.clear();
            text.source(datagram);
            string(PEER_ADDRESS, text, out);
            number(PEER_PORT, datagram.sourcePort(), out);
        }
        field(INPUT, RecordField.INPUT, record, out);
    }

    /** The text of the message, or all of it if there is none. */
    private void body(LogRecord record, SyslogMessage message, LineBuffer out) {
        text.clear();
        if (message.has(Field.MESSAGE)) {
            Protobuf.copyValid(message.bytes(), message.begin(Field.MESSAGE), message.end(Field.MESSAGE), text);
        } else {
            Protobuf.copyValid(record.bytes(), record.begin(), record.end(), text);
        }
        value.clear();
        Protobuf.bytes(STRING, text, value);
        Protobuf.bytes(BODY, value, out);
    }

    private void field(byte[] key, RecordField field, LogRecord record, LineBuffer out) {
        if (field.isIn(record)) {
            text.clear();
            Protobuf.copyValid(field.bytes(record), field.begin(record), field.end(record), text);
            string(key, text, out);
        }
    }

    private void number(byte[] key, long number, LineBuffer out) {
        value.clear();
        Protobuf.number(INT, number, value);
        attribute(key, value, out);
    }

    /** Writes an attribute with a text. */
    void string(byte[] key, LineBuffer content, LineBuffer out) {
        value.clear();
        Protobuf.bytes(STRING, content, value);
        attribute(key, value, out);
    }

    private void attribute(byte[] key, LineBuffer content, LineBuffer out) {
        pair(key, 0, key.length, content, pair);
        Protobuf.bytes(ATTRIBUTES, pair, out);
    }

    /** Makes a buffer a {@code KeyValue}. */
    static void pair(byte[] b, int begin, int end, LineBuffer content, LineBuffer to) {
        to.clear();
        Protobuf.bytes(KEY, b, begin, end, to);
        Protobuf.bytes(VALUE, content, to);
    }

    /** {@code {id: {name: value}}}, which stays as it came: names may repeat. */
    private void structuredData(ParsedMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        elements.clear();
        data.wrap(message);
        while (data.nextElement()) {
            int idBegin = data.nameBegin();
            int idEnd = data.nameEnd();
            parameters.clear();
            while (data.nextParameter()) {
                parameter(b);
            }
            value.clear();
            Protobuf.bytes(KEY_VALUES, parameters, value);
            member(b, idBegin, idEnd, elements);
        }
        value.clear();
        Protobuf.bytes(KEY_VALUES, elements, value);
        attribute(STRUCTURED_DATA, value, out);
    }

    private void parameter(byte[] b) {
        byte[] plain = data.isEscaped() ? data.value() : b;
        int begin = data.isEscaped() ? 0 : data.valueBegin();
        int end = data.isEscaped() ? plain.length : data.valueEnd();
        text.clear();
        Protobuf.copyValid(plain, begin, end, text);
        value.clear();
        Protobuf.bytes(STRING, text, value);
        member(b, data.nameBegin(), data.nameEnd(), parameters);
    }

    /** Adds the value with a name of the message to a list. */
    private void member(byte[] b, int begin, int end, LineBuffer list) {
        text.clear();
        Protobuf.copyValid(b, begin, end, text);
        pair(text.array(), 0, text.length(), value, pair);
        Protobuf.bytes(MEMBERS, pair, list);
    }
}
