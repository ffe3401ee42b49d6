package io.millrace.bench;

import io.millrace.collector.DropReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The way of a datagram from the network card to the outputs, with each drop point of {@link DropReason}, as SVG. */
final class PacketPath {
    private static final int ROW = 24;
    private static final int GAP = 22;
    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 HEIGHT" role="img" aria-label="The packet path and its drop points">
            <style>
            text { font-family: system-ui, sans-serif; font-size: 13px; fill: #1f2933; }
            .stage { font-size: 14px; font-weight: 600; text-anchor: middle; } .note { font-size: 12px; fill: #52606d; text-anchor: middle; }
            .column { font-weight: 600; } .field { font-family: ui-monospace, monospace; font-size: 12px; }
            .box { fill: #f1f5f9; stroke: #52606d; } .leg { stroke: #9aa5b1; } .flow { stroke: #1f2933; stroke-width: 1.5; }
            .host { fill: #fff; stroke: #0072b2; stroke-width: 2; } .ours { fill: #d55e00; stroke: #d55e00; stroke-width: 2; }
            .policy { fill: #52606d; stroke: #52606d; stroke-width: 2; } .kept { fill: #fff; stroke: #52606d; stroke-width: 2; }
            </style>
            <rect x="0.5" y="0.5" width="799" height="BACKGROUND" rx="8" fill="#fff" stroke="#cbd2d9"/>
            <text class="stage" x="106" y="32">packet path</text>
            <text class="column" x="256" y="32">drop point</text><text class="column" x="420" y="32">field of the ledger</text>
            <text class="column" x="650" y="32">scope</text>
            """;

    /** A row: the drop point, its field, whose losses it counts, and the style of its mark. */
    record Drop(String title, String field, String scope, String style) {}

    private final StringBuilder out = new StringBuilder();
    private int y = 50;

    private PacketPath() {}

    static String draw() {
        PacketPath path = new PacketPath();
        path.stage("network card", "driver, CPU's backlog", of(DropReason.Stage.CARD));
        path.stage("kernel", "softirq: IP and UDP", of(DropReason.Stage.KERNEL));
        path.stage("sockets", "receive buffers", of(DropReason.Stage.SOCKETS));
        path.stage("receivers", "policy", of(DropReason.Stage.RECEIVER));
        path.stage("journal", "files on disk", of(DropReason.Stage.JOURNAL));
        path.stage("outputs", "a cursor each", outputs());
        int height = path.y - GAP + 16;
        return HEAD.replace("HEIGHT", "" + height).replace("BACKGROUND", "" + (height - 1)) + path.out + "</svg>\n";
    }

    /** All rows, in order. */
    static List<Drop> all() {
        List<Drop> all = new ArrayList<>();
        Arrays.stream(DropReason.Stage.values()).map(PacketPath::of).forEach(all::addAll);
        all.addAll(outputs());
        return all;
    }

    private static List<Drop> of(DropReason.Stage stage) {
        return Arrays.stream(DropReason.values())
                .filter(reason -> reason.stage() == stage)
                .map(PacketPath::drop)
                .toList();
    }

    private static Drop drop(DropReason reason) {
        if (!reason.isOurs()) {
            return new Drop(reason.title(), reason.field(), "whole host", "host");
        }
        return new Drop(
                reason.title(),
                reason.field(),
                reason.isByPolicy() ? "this service, policy" : "this service",
                reason.isByPolicy() ? "policy" : "ours");
    }

    /** What the ledger counts after the journal. */
    private static List<Drop> outputs() {
        return List.of(
                new Drop("expired unread", "expiredUnread", "this service", "ours"),
                new Drop("dead letters", "delivered.NAME.deadLettered", "kept in a file", "kept"));
    }

    private void stage(String title, String note, List<Drop> drops) {
        int height = Math.max(2, drops.size()) * ROW + 8;
        double middle = y + height / 2.0;
        if (y > 50) {
            add("<path class=\"flow\" d=\"M106 %d V%d\"/>", y - GAP, y - 7);
            add("<path d=\"M101 %d H111 L106 %d Z\" fill=\"#1f2933\"/>", y - 8, y);
        }
        add("<rect class=\"box\" x=\"16\" y=\"%d\" width=\"180\" height=\"%d\" rx=\"6\"/>", y, height);
        text("stage", 106, middle - 3, title);
        text("note", 106, middle + 15, note);
        double at = middle - drops.size() * ROW / 2.0 + ROW / 2.0;
        for (Drop drop : drops) {
            add("<path class=\"leg\" d=\"M196 %.1f H230\"/>", at);
            add(
                    "<rect class=\"%s\" x=\"231\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"%d\"/>",
                    drop.style, at - 5, drop.style.equals("host") || drop.style.equals("ours") ? 5 : 0);
            text("", 256, at + 4.5, drop.title);
            text("field", 420, at + 4.5, drop.field);
            text("", 650, at + 4.5, drop.scope);
            at += ROW;
        }
        y += height + GAP;
    }

    private void text(String style, int x, double y, String text) {
        add("<text class=\"%s\" x=\"%d\" y=\"%.1f\">%s</text>", style, x, y, text.replace("&", "&amp;"));
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
