package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.internal.record.FrameWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a stream of RELP means, from the whole of it at once: the simplest way to say it. */
final class RelpModel {
    private static final Pattern HEADER = Pattern.compile("(\\d{1,9}) ([a-zA-Z]{1,32}) (\\d{1,9})([ \n])");
    private static final Pattern BEGINNING = Pattern.compile("(\\d{1,9}( ([a-zA-Z]{1,32}( (\\d{1,9})?)?)?)?)?");
    private static final Pattern VERSION = Pattern.compile("(?:^|\n)relp_version=([^\n]*)");

    final List<String> messages = new ArrayList<>();
    long payload;
    long skipped;
    long errors;
    long acknowledged;
    String answers = "";

    private final int max;
    private final String text;
    private int at;
    private boolean opened;

    RelpModel(int max, byte[] stream) {
        this.max = max;
        this.text = new String(stream, ISO_8859_1);
        while (at < text.length() && frame()) {
            // The next one.
        }
    }

    /** How a message is told. */
    static String text(String message, int originalLength, int marks) {
        return "(" + message + ")" + originalLength + (marks == 0 ? "" : "!" + marks);
    }

    /** Takes a frame; false if it was the last. */
    private boolean frame() {
        Matcher header = HEADER.matcher(text).region(at, text.length());
        if (!header.lookingAt()) {
            return unfinished();
        }
        int txnr = Integer.parseInt(header.group(1));
        String command = header.group(2);
        int length = Integer.parseInt(header.group(3));
        boolean hasData = header.group(4).equals(" ");
        if (hasData == (length == 0) || !isAllowed(txnr, command, length)) {
            return broken(at + (header.end(3) - at));
        }
        int data = hasData ? header.end() : header.end() - 1;
        String found = text.substring(data, Math.min(text.length(), data + length));
        if (command.equals("syslog") && length > 0) {
            int stored = Math.min(max, length);
            if (found.length() < stored) {
                skipped += found.length();
                return false;
            }
            messages.add(text(found.substring(0, stored), length, stored < length ? FrameWriter.TRUNCATED : 0));
            payload += stored;
            skipped += found.length() - stored;
        } else if (!command.equals("open")) {
            skipped += found.length();
        } else if (found.length() < length) {
            skipped += found.length();
        }
        if (found.length() < length) {
            return false;
        }
        int version = command.equals("open") ? version(found) : 0;
        if (version < 0 || (data + length < text.length() && text.charAt(data + length) != '\n')) {
            return broken(data + length);
        }
        if (data + length == text.length()) {
            return false;
        }
        at = data + length + 1;
        return answer(txnr, command, version);
    }

    private boolean isAllowed(int txnr, String command, int length) {
        return switch (command) {
            case "syslog", "close" -> opened && txnr > 0;
            case "open" -> !opened && txnr > 0 && length > 0 && length <= 4096;
            default -> true;
        };
    }

    private static int version(String offers) {
        Matcher version = VERSION.matcher(offers);
        if (!version.find() || !version.group(1).trim().matches("[0-9]{1,9}")) {
            return -1;
        }
        return Math.min(1, Integer.parseInt(version.group(1).trim()));
    }

    private boolean answer(int txnr, String command, int version) {
        switch (command) {
            case "syslog" -> {
                acknowledged++;
                answers += txnr + " rsp 6 200 OK\n";
            }
            case "open" -> {
                opened = true;
                String offers = "200 OK\nrelp_version=" + version + "\nrelp_software=millrace\ncommands=syslog";
                answers += txnr + " rsp " + offers.length() + " " + offers + "\n";
            }
            case "close" -> {
                answers += txnr + " rsp 6 200 OK\n0 serverclose 0\n";
                skipped += text.length() - at;
                return false;
            }
            default -> answers += txnr == 0 ? "" : txnr + " rsp 23 500 unsupported command\n";
        }
        return true;
    }

    /** What is left is the beginning of a header, or no header. */
    private boolean unfinished() {
        int good = text.length();
        while (!BEGINNING.matcher(text.substring(at, good)).matches()) {
            good--;
        }
        return good == text.length() ? false : broken(good);
    }

    private boolean broken(int from) {
        errors++;
        skipped += text.length() - from;
        return false;
    }
}
