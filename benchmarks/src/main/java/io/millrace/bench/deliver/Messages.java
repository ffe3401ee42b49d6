package io.millrace.bench.deliver;

import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.Payloads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kinds of messages in a journal: for each a list that is repeated. */
enum Messages {
    /** As {@code millrace send --pattern rfc3164 --size 125} sends them. */
    SYSLOG("RFC 3164, 125 bytes"),
    /** Ten pairs, one of which is a password. */
    FORTIGATE("FortiGate, about 190 bytes");

    static final String PASSWORD = "password=Xk7";

    /** What half of the messages of a FortiGate have, each half another. */
    static final String DENIED = "action=\"deny\"";

    static final String WARNING = "level=\"warning\"";
    static final String NETWORK = "srcip=192.0.2.";

    private static final int COUNT = 1_000;
    private static final int SYSLOG_BYTES = 125;
    private static final int HASH = 0x9e37_79b9;

    private final String text;

    Messages(String text) {
        this.text = text;
    }

    /** A description. */
    String text() {
        return text;
    }

    /** The messages, in ASCII. */
    List<String> list() {
        List<String> all = new ArrayList<>();
        Payloads payloads = PayloadPattern.RFC3164.payloads(PayloadSizes.of(SYSLOG_BYTES), 1, 1);
        ByteBuffer buffer = ByteBuffer.allocateDirect(payloads.maxBytes());
        for (int i = 0; i < COUNT; i++) {
            if (this == FORTIGATE) {
                all.add(fortigate(i));
            } else {
                int length = payloads.put(buffer, 0, i, 0, i, 0);
                all.add(StandardCharsets.US_ASCII
                        .decode(buffer.duplicate().limit(length))
                        .toString());
            }
        }
        return all;
    }

    private static String fortigate(int i) {
        return String.format(
                Locale.ROOT,
                "<%d>date=2026-11-25 time=10:%02d:%02d devname=\"fw-hq\" logid=\"0000000013\" type=\"traffic\" %s %s%d dstip=198.51.100.%d"
                        + " user=\"svc-%d\" %s-%08x %s",
                (i & 1) == 0 ? 188 : 189,
                i / 60 % 60,
                i % 60,
                (i & 1) == 0 ? WARNING : "level=\"notice\"",
                (i & 2) == 0 ? NETWORK : "srcip=203.0.113.",
                i % 251,
                i % 241,
                i % 97,
                PASSWORD,
                i * HASH,
                (i & 4) == 0 ? DENIED : "action=\"accept\"");
    }
}
