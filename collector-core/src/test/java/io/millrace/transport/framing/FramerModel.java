package io.millrace.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.record.BatchWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A simple reference implementation of framing: it reads a whole stream at once. */
final class FramerModel {
    private static final Pattern COUNT = Pattern.compile("(\\d{1,16}) (.|$)", Pattern.DOTALL);

    final List<String> messages = new ArrayList<>();
    long payload;
    long framing;
    long skipped;
    long errors;

    private final Framing mode;
    private final int max;
    private final String stream;
    private int at;

    private FramerModel(Framing mode, int max, byte[] stream) {
        this.mode = mode;
        this.max = max;
        this.stream = new String(stream, ISO_8859_1);
    }

    static FramerModel of(Framing mode, int max, byte[] stream) {
        FramerModel model = new FramerModel(mode, max, stream);
        while (model.at < stream.length && model.next()) {
            // One message after the other.
        }
        return model;
    }

    static String text(String payload, int original, int marks) {
        return payload + "|" + original + "|" + marks;
    }

    private void message(String text, int original, int marks) {
        messages.add(text(text, original, marks));
        payload += text.length();
    }

    private boolean next() {
        if (mode == Framing.OCTET_COUNTING && "\r\n".indexOf(stream.charAt(at)) >= 0) {
            framing++;
            at++;
            return true;
        }
        if (mode == Framing.AUTO || mode == Framing.OCTET_COUNTING) {
            Matcher count = COUNT.matcher(stream).region(at, stream.length());
            if (count.lookingAt()
                    && (mode == Framing.OCTET_COUNTING || count.group(2).equals("<"))) {
                long value = Long.parseLong(count.group(1));
                if (value <= Framer.MAX_COUNT) {
                    errors += count.group(1).startsWith("0") ? 1 : 0;
                    framing += count.group(1).length() + 1;
                    at += count.group(1).length() + 1;
                    counted((int) value);
                    return true;
                }
                errors += mode == Framing.AUTO ? 1 : 0;
            }
        }
        if (mode == Framing.OCTET_COUNTING) {
            errors++;
            skipped += stream.length() - at;
            return false;
        }
        line();
        return true;
    }

    private void counted(int length) {
        int there = Math.min(length, stream.length() - at);
        if (there >= Math.min(length, max)) {
            int stored = Math.min(length, max);
            if (length > 0) {
                message(stream.substring(at, at + stored), length, stored < length ? BatchWriter.TRUNCATED : 0);
            }
            skipped += there - stored;
        } else if (there > 0) {
            message(stream.substring(at, at + there), length, BatchWriter.INCOMPLETE);
        }
        at += there;
    }

    private int end() {
        int feed = mode == Framing.NUL ? -1 : stream.indexOf('\n', at);
        int zero = mode == Framing.NEWLINE ? -1 : stream.indexOf('\0', at);
        return feed < 0 ? zero : zero < 0 ? feed : Math.min(feed, zero);
    }

    private void line() {
        int end = end();
        String line = stream.substring(at, end < 0 ? stream.length() : end);
        int mark = end < 0 ? 0 : 1;
        int cut = mode != Framing.NUL && line.endsWith("\r") ? 1 : 0;
        framing += mark;
        if (line.length() - cut > max) {
            message(line.substring(0, max), 0, BatchWriter.TRUNCATED);
            skipped += line.length() - max;
        } else {
            framing += cut;
            if (line.length() > cut) {
                message(line.substring(0, line.length() - cut), line.length() - cut, 0);
            }
        }
        at += line.length() + mark;
    }
}
