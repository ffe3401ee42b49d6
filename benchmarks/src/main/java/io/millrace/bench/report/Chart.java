package io.millrace.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A chart.
 *
 * @param title its title
 * @param xLabel the label of the x axis; unused by bars
 * @param yLabel the label of the y axis
 * @param kind its kind
 * @param series its data
 */
public record Chart(String title, String xLabel, String yLabel, Kind kind, List<Series> series)
        implements Document.Block {
    public enum Kind {
        /** Points joined by lines, x on a logarithmic scale. */
        LINES,
        /** Points that are not joined, with x from 0: single trials. */
        POINTS,
        /** Points joined by lines, with x from 0: a value over time. */
        TIME,
        /** A bar per series, from the y of its first point, with a whisker from the lowest to the highest y. */
        BARS
    }

    public static Chart bars(String title, String yLabel, List<Series> series) {
        return new Chart(title, "", yLabel, Kind.BARS, series);
    }

    public record Series(String name, List<Point> points) {
        /** The series of a bar: the median of some values, and their range. */
        public static Series medianAndRange(String name, List<Double> values) {
            List<Point> points = new ArrayList<>();
            if (!values.isEmpty()) {
                points.add(new Point(0, Statistics.median(values)));
                values.forEach(value -> points.add(new Point(0, value)));
            }
            return new Series(name, points);
        }
    }

    public record Point(double x, double y) {}
}
