package io.millrace.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** SVG format of a chart. It needs no fonts, window system or network. */
public final class Svg {
    private static final int WIDTH = 860;
    private static final int LEFT = 70;
    private static final int RIGHT = 215;
    private static final int TOP = 36;
    private static final int PLOT_HEIGHT = 300;
    private static final int BOTTOM = 50;
    private static final int LEGEND_LINE = 20;
    private static final int BAR = 26;
    private static final int BAR_LEFT = 180;
    private static final int BAR_RIGHT = 90;
    private static final int Y_TICKS = 5;
    private static final int X_TICKS = 10;
    /** Part of each chart, so that it can be shown outside of its page. */
    private static final String STYLE = """
            <style>
            text { font-family: system-ui, sans-serif; font-size: 13px; fill: #333; }
            text.title { font-size: 15px; font-weight: 600; }
            .grid { stroke: #ddd; } .whisker { stroke: #000; stroke-width: 2; }
            </style>
            <rect width="100%" height="100%" fill="#fff"/>""";

    /** Colours that colour-blind people can distinguish; lines also have different dashes. */
    private static final List<String> COLOURS = List.of(
            "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c510a", "#7570b3",
            "#666666");

    private final StringBuilder out = new StringBuilder();
    private final Chart chart;

    private Svg(Chart chart) {
        this.chart = chart;
    }

    public static String draw(Chart chart) {
        Svg svg = new Svg(chart);
        if (chart.kind() == Chart.Kind.BARS) {
            svg.bars();
        } else {
            svg.lines();
        }
        return svg.out.toString();
    }

    private void open(int height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH, height, Html.escape(chart.title()));
        add("%s", STYLE);
        text(WIDTH / 2.0, 20, "middle", "title", chart.title());
    }

    private void bars() {
        int height = TOP + chart.series().size() * BAR + BOTTOM;
        open(height);
        double max = nice(chart.series().stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(Chart.Point::y)
                .max()
                .orElse(1));
        double scale = (WIDTH - BAR_LEFT - BAR_RIGHT) / max;
        int bottom = height - BOTTOM;
        for (int i = 0; i <= Y_TICKS; i++) {
            double value = max * i / Y_TICKS;
            double x = BAR_LEFT + value * scale;
            add("<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x, bottom);
            text(x, bottom + 16, "middle", "tick", number(value));
        }
        text(BAR_LEFT, bottom + 38, "start", "label", chart.yLabel());
        for (int i = 0; i < chart.series().size(); i++) {
            bar(chart.series().get(i), TOP + i * BAR, scale, COLOURS.get(i % COLOURS.size()));
        }
        add("</svg>");
    }

    private void bar(Chart.Series series, int y, double scale, String colour) {
        text(BAR_LEFT - 8, y + BAR * 0.68, "end", "name", series.name());
        if (series.points().isEmpty()) {
            text(BAR_LEFT + 6, y + BAR * 0.68, "start", "tick", "no result");
            return;
        }
        double value = series.points().get(0).y();
        double low = series.points().stream().mapToDouble(Chart.Point::y).min().orElse(value);
        double high = series.points().stream().mapToDouble(Chart.Point::y).max().orElse(value);
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                BAR_LEFT, y + 4, Math.max(1, value * scale), BAR - 8, colour);
        if (high > low) {
            add(
                    "<line class=\"whisker\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    BAR_LEFT + low * scale, y + BAR / 2, BAR_LEFT + high * scale, y + BAR / 2);
        }
        text(BAR_LEFT + Math.max(value, high) * scale + 6, y + BAR * 0.68, "start", "tick", number(value));
    }

    private void lines() {
        int height =
                Math.max(TOP + PLOT_HEIGHT + BOTTOM, TOP + 10 + chart.series().size() * LEGEND_LINE);
        open(height);
        List<Chart.Point> all = chart.series().stream()
                .flatMap(series -> series.points().stream())
                .toList();
        double lowest = all.stream().mapToDouble(Chart.Point::x).min().orElse(1);
        double highest = all.stream().mapToDouble(Chart.Point::x).max().orElse(10);
        double max = nice(all.stream().mapToDouble(Chart.Point::y).max().orElse(1));
        boolean linear = chart.kind() != Chart.Kind.LINES;
        Scale scale = linear
                ? new Scale(0, highest, max, true)
                : new Scale(lowest, Math.max(highest, lowest * 1.01), max, false);
        int bottom = TOP + PLOT_HEIGHT;
        for (int i = 0; i <= Y_TICKS; i++) {
            double value = max * i / Y_TICKS;
            add(
                    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                    LEFT, scale.y(value), WIDTH - RIGHT, scale.y(value));
            text(LEFT - 8, scale.y(value) + 4, "end", "tick", number(value));
        }
        double last = -100;
        for (double x : linear ? roundNumbers(highest) : distinct(all)) {
            add(
                    "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    scale.x(x), bottom, scale.x(x), bottom + 5);
            if (scale.x(x) - last > 44) {
                last = scale.x(x);
                text(last, bottom + 18, "middle", "tick", number(x));
            }
        }
        text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 40, "middle", "label", chart.xLabel());
        add(
                "<text class=\"label\" transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                TOP + PLOT_HEIGHT / 2, Html.escape(chart.yLabel()));
        for (int i = 0; i < chart.series().size(); i++) {
            line(chart.series().get(i), i, scale);
        }
        add("</svg>");
    }

    private static double[] distinct(List<Chart.Point> points) {
        return points.stream().mapToDouble(Chart.Point::x).distinct().sorted().toArray();
    }

    /** Round numbers from 0 to the highest value. */
    private static double[] roundNumbers(double highest) {
        double step = nice(highest / X_TICKS);
        return IntStream.rangeClosed(0, (int) (highest / step))
                .mapToDouble(i -> i * step)
                .toArray();
    }

    private void line(Chart.Series series, int index, Scale scale) {
        String colour = COLOURS.get(index % COLOURS.size());
        String dash = index % 3 == 0 ? "none" : index % 3 == 1 ? "6 3" : "2 3";
        boolean joined = chart.kind() != Chart.Kind.POINTS;
        List<String> path = new ArrayList<>();
        for (Chart.Point point : series.points()) {
            path.add(String.format(Locale.ROOT, "%.1f,%.1f", scale.x(point.x()), scale.y(point.y())));
            if (chart.kind() != Chart.Kind.TIME) {
                mark(scale.x(point.x()), scale.y(point.y()), index, colour);
            }
        }
        int y = TOP + 10 + index * LEGEND_LINE;
        if (joined) {
            add(
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"%s\"/>",
                    colour, dash, String.join(" ", path));
            add(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                    WIDTH - RIGHT + 14, y, WIDTH - RIGHT + 40, y, colour, dash);
        } else {
            mark(WIDTH - RIGHT + 27, y, index, colour);
        }
        text(WIDTH - RIGHT + 46, y + 4, "start", "name", series.name());
    }

    /** A circle, a square or a diamond: what has no line differs by its shape too. */
    private void mark(double x, double y, int index, String colour) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" rx=\"%s\" transform=\"rotate(%d %.1f %.1f)\" fill=\"%s\"/>",
                x - 3.5, y - 3.5, index % 3 == 0 ? "3.5" : "0", index % 3 == 2 ? 45 : 0, x, y, colour);
    }

    /** The position of a value in the plot. */
    private record Scale(double lowest, double highest, double max, boolean linear) {
        double x(double value) {
            if (linear) {
                return LEFT + (WIDTH - RIGHT - LEFT) * value / highest;
            }
            return LEFT + (WIDTH - RIGHT - LEFT) * Math.log(value / lowest) / Math.log(highest / lowest);
        }

        double y(double value) {
            return TOP + PLOT_HEIGHT - PLOT_HEIGHT * value / max;
        }
    }

    /** The next higher round number. */
    private static double nice(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}) {
            if (value <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    static String number(double value) {
        if (value >= 1e6) {
            return trimmed(value / 1e6) + "M";
        }
        return value >= 10_000 ? trimmed(value / 1e3) + "k" : trimmed(value);
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    private void text(double x, double y, String anchor, String style, String text) {
        add(
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                style, x, y, anchor, Html.escape(text));
    }

    private void add(String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args)).append('\n');
    }
}
