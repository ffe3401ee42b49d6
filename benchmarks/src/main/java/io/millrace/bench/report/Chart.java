package io.millrace.bench.report;

import java.util.List;

/**
 * A chart.
 *
 * @param title what stands above it
 * @param xLabel what the axis below says; unused by bars
 * @param yLabel what the axis on the left says
 * @param kind how it is drawn
 * @param series what is drawn
 */
public record Chart(String title, String xLabel, String yLabel, Kind kind, List<Series> series)
        implements Document.Block {
    /** How a chart is drawn. */
    public enum Kind {
        /** Points joined by lines, x on a logarithmic scale. */
        LINES,
        /** Points joined by lines, x from 0 on: a value over time. */
        TIME,
        /** A bar for each series, of its first point's y, with a whisker from the lowest to the highest y. */
        BARS
    }

    /** A name, and its points. */
    public record Series(String name, List<Point> points) {}

    /** A point. */
    public record Point(double x, double y) {}
}
