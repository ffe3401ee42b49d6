package io.millrace.bench.report;

import io.millrace.bench.trial.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Statistics in the format of reports. */
public final class Statistics {
    private Statistics() {}

    /** The median; NaN without values. */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median, and the range in parentheses if there are several values. */
    public static String medianAndRange(List<Double> values, String format) {
        if (values.isEmpty()) {
            return "–";
        }
        String median = String.format(Locale.ROOT, format, median(values));
        if (values.size() == 1) {
            return median;
        }
        double low = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double high = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        return median + " (" + String.format(Locale.ROOT, format, low) + "–" + String.format(Locale.ROOT, format, high)
                + ")";
    }

    /** The received part in percent: 100 only without any loss. */
    public static String percentReceived(double loss) {
        if (loss <= 0) {
            return "100";
        }
        double percent = 100 * (1 - loss);
        return percent > 99.99
                ? String.format(Locale.ROOT, "%.4f", Math.floor(percent * 1e4) / 1e4)
                : String.format(Locale.ROOT, "%.2f", percent);
    }

    /** The CPU time per datagram of those trials that measured it, in ns. */
    public static List<Double> costs(List<TrialResult> trials) {
        List<Double> costs = new ArrayList<>();
        for (TrialResult trial : trials) {
            if (trial.nanosPerDatagram() != null) {
                costs.add(trial.nanosPerDatagram());
            }
        }
        return costs;
    }

    /** A rate with a suffix: 50k, 1.2M. */
    public static String rate(double perSecond) {
        return Svg.number(perSecond);
    }
}
