package io.millrace.sender.payload;

import io.millrace.sender.value.Text;
import java.util.SplittableRandom;

/** Generator of names, numbers and sentences as in logs, from a seed. */
final class LogTextGenerator {
    private static final String[] ROLES = {"web", "db", "auth", "cache", "edge", "queue", "mail", "vpn"};
    private static final String[] APPS = {"sshd", "nginx", "cron", "kernel", "postfix", "named", "sudo", "haproxy"};
    private static final String[] USERS = {"alice", "bob", "carol", "deploy", "root", "backup", "mallory", "svc-batch"};
    private static final String[] VERBS = {"accepted", "closed", "denied", "retried", "forwarded", "expired", "opened"};
    private static final String[] THINGS = {"session", "request", "lease", "connection", "query", "job", "transfer"};
    private static final String[] PATHS = {"/", "/login", "/api/v1/items", "/health", "/static/app.js", "/search"};
    private static final String[] PORTS = {"GigabitEthernet0/", "TenGigabitEthernet1/", "FastEthernet0/", "Vlan"};

    private final SplittableRandom random;

    LogTextGenerator(SplittableRandom random) {
        this.random = random;
    }

    int number(int from, int to) {
        return random.nextInt(from, to + 1);
    }

    String host() {
        return Text.format("%s-%02d", choose(ROLES), number(1, 40));
    }

    String app() {
        return choose(APPS);
    }

    String port() {
        return choose(PORTS) + number(1, 24);
    }

    String address() {
        return Text.format("10.%d.%d.%d", number(0, 255), number(0, 255), number(1, 254));
    }

    /** Text of exactly this many characters: sentences after a space, the last one truncated. */
    String text(int length) {
        StringBuilder text = new StringBuilder(length + 100);
        while (text.length() < length) {
            text.append(' ').append(sentence());
        }
        text.setLength(length);
        return text.toString();
    }

    private String sentence() {
        return switch (number(0, 5)) {
            case 0 ->
                Text.format(
                        "%s %s for user %s from %s port %d",
                        choose(THINGS), choose(VERBS), choose(USERS), address(), number(1024, 65_535));
            case 1 ->
                Text.format(
                        "%s - \"GET %s HTTP/1.1\" %d %d",
                        address(), choose(PATHS), number(0, 9) == 0 ? 404 : 200, number(100, 90_000));
            case 2 ->
                Text.format(
                        "action=%s src=%s dst=%s proto=tcp dport=%d bytes=%d",
                        choose(VERBS), address(), address(), number(1, 1023), number(40, 150_000));
            case 3 -> Text.format("(%s) CMD (run %s %d)", choose(USERS), choose(THINGS), number(1, 9999));
            case 4 ->
                Text.format(
                        "{\"event\":\"%s\",\"%s\":%d,\"ms\":%d}",
                        choose(VERBS), choose(THINGS), number(1, 999_999), number(0, 5000));
            default ->
                Text.format("%s %d %s after %d ms;", choose(THINGS), number(1, 99_999), choose(VERBS), number(1, 9000));
        };
    }

    <T> T choose(T[] of) {
        return of[random.nextInt(of.length)];
    }
}
