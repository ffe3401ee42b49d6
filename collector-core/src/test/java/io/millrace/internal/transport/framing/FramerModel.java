package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.collector.StreamSettings.Framing;
import io.millrace.internal.record.FrameWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A simple reference implementation of framing: it reads a whole stream at once. */
final class FramerModel {
    private static final Pattern COUNT = Pattern.compile("(\\d{1,16}) (.|$)", Pattern.DOTALL);
    private static final Pattern DIGITS = Pattern.compile("\\d");
    private static final Pattern UNFINISHED_COUNT = Pattern.compile("\\d{1,16} ?");
    private static final Pattern PRIORITY_LINE = Pattern.compile("\n<\\d{1,3}>");
    private static final Pattern NEXT_START = Pattern.compile("[\n\0]|(?<!\\d)(\\d{1,16}) <");
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    final List<String> messages = new ArrayList<>();
    long payload;
    long framing;
    long skipped;
    long errors;

    private final Framing mode;
    private final int max;
    private final String stream;
    private int at;
    private boolean afterCounted;
    private long distrustedUntil;

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
        boolean hasCounts = mode == Framing.AUTO || mode == Framing.OCTET_COUNTING;
        if (hasCounts
                && at == 0
                && stream.startsWith(BYTE_ORDER_MARK)
                && DIGITS.matcher(stream.substring(3)).lookingAt()) {
            framing += 3;
            at = 3;
            return true;
        }
        if ((mode == Framing.OCTET_COUNTING || afterCounted) && "\r\n".indexOf(stream.charAt(at)) >= 0) {
            framing++;
            at++;
            return true;
        }
        Matcher count = COUNT.matcher(stream).region(at, stream.length());
        boolean isCount = hasCounts
                && count.lookingAt()
                && (mode == Framing.OCTET_COUNTING || count.group(2).equals("<"));
        long value = isCount ? Long.parseLong(count.group(1)) : 0;
        if (isCount && value <= maxCount()) {
            int header = count.group(1).length() + 1;
            errors += count.group(1).startsWith("0") ? 1 : 0;
            counted((int) value, header);
            return true;
        }
        if (mode == Framing.OCTET_COUNTING) {
            errors++;
            skipped += stream.length() - at;
            return false;
        }
        boolean mayContinue =
                UNFINISHED_COUNT.matcher(stream).region(at, stream.length()).matches();
        boolean isOther = "<\0".indexOf(stream.charAt(at)) < 0;
        if (afterCounted && isOther && !mayContinue) {
            errors++;
            resync();
            return true;
        }
        errors += isCount ? 1 : 0;
        line();
        return true;
    }

    private int maxCount() {
        return mode == Framing.AUTO ? Framer.MAX_AUTO_COUNT : Framer.MAX_COUNT;
    }

    private void counted(int length, int header) {
        int begin = at + header;
        int there = Math.min(length, stream.length() - begin);
        int stored = Math.min(length, max);
        boolean lines = mode == Framing.AUTO
                && PRIORITY_LINE
                        .matcher(stream.substring(begin, begin + Math.min(stored, there)))
                        .find();
        boolean complete = there >= stored;
        int next = begin + length;
        boolean wrong =
                there < length || (next < stream.length() && "0123456789<\r\n\0".indexOf(stream.charAt(next)) < 0);
        if (lines && (payload < distrustedUntil || wrong)) {
            errors++;
            distrustedUntil = payload + length;
            afterCounted = false;
            line();
            return;
        }
        framing += header;
        at = begin;
        if (complete && length > 0) {
            message(stream.substring(at, at + stored), length, stored < length ? FrameWriter.TRUNCATED : 0);
            skipped += there - stored;
            afterCounted = mode == Framing.AUTO;
        } else if (there > 0) {
            message(stream.substring(at, at + there), length, FrameWriter.INCOMPLETE);
        }
        at += there;
    }

    /** After a wrong count: up to a line end, or the next count. */
    private void resync() {
        while (true) {
            String rest = stream.substring(at);
            int end = nextStart();
            boolean isLong = end > max || (end < 0 && rest.length() > max);
            int length = isLong ? max : end < 0 ? rest.length() : end;
            boolean atCount = !isLong && end >= 0 && Character.isDigit(rest.charAt(end));
            at += length;
            if (atCount && rest.substring(0, length).equals(BYTE_ORDER_MARK)) {
                framing += length;
            } else if (length > 0) {
                message(rest.substring(0, length), length, FrameWriter.INCOMPLETE);
            }
            if (!isLong) {
                return;
            }
        }
    }

    private int nextStart() {
        Matcher start = NEXT_START.matcher(stream).useTransparentBounds(true).region(at, stream.length());
        while (start.find()) {
            String digits = start.group(1);
            if (digits == null || (Long.parseLong(digits) > 0 && Long.parseLong(digits) <= maxCount())) {
                return start.start() - at;
            }
        }
        return -1;
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
            message(line.substring(0, max), 0, FrameWriter.TRUNCATED);
            skipped += line.length() - max;
        } else {
            framing += cut;
            if (line.length() > cut) {
                message(line.substring(0, line.length() - cut), line.length() - cut, 0);
            }
        }
        at += line.length() + mark;
        afterCounted = false;
    }
}
