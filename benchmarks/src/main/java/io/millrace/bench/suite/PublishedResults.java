package io.millrace.bench.suite;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Published tables to compare results with. They were measured between two hosts with four CPUs each on Gigabit Ethernet, with
 * JDK 1.8.
 */
final class PublishedResults {
    /** Rates of the 125-byte table, datagrams per second. */
    static final List<Long> RATES =
            List.of(6_400L, 13_000L, 26_000L, 50_000L, 60_000L, 70_000L, 100_000L, 200_000L, 500_000L);

    /** Rates of the 50-byte table. */
    static final List<Long> RATES_OF_50_BYTES = List.of(670_000L, 830_000L, 1_000_000L);

    private static final Map<String, Map<Long, String>> RATIOS = new LinkedHashMap<>();
    private static final Map<String, Map<Long, String>> RATIOS_OF_50_BYTES = new LinkedHashMap<>();

    static {
        ratios("syslog-inline", "98.91", "98.18", "61.89", "32.15");
        ratios("bio", "100", "99.82", "97.44", "94.79");
        ratios("nio", "100", "100", "99.82", "99.23");
        ratios("aio", "100", "100", "99.76", "99.27");
        ratios("mapped-queue-bio", "100", "100", "99.99", "99.69");
        ratios("tcpdump", "100", "100", "100", "99.71", "99.43", "98.73", "76.67", "42.06", "37.73");
        ratios("baseline-ring", "100", "100", "100", "100", "", "", "", "", "99.98");
        RATIOS_OF_50_BYTES.put("tcpdump", zip(RATES_OF_50_BYTES, "29.74", "29.63", "29.42"));
        RATIOS_OF_50_BYTES.put("baseline-ring", zip(RATES_OF_50_BYTES, "99.46", "93.87", "79.18"));
    }

    private PublishedResults() {}

    private static void ratios(String subject, String... percents) {
        RATIOS.put(subject, zip(RATES, percents));
    }

    private static Map<Long, String> zip(List<Long> rates, String... percents) {
        Map<Long, String> byRate = new LinkedHashMap<>();
        for (int i = 0; i < percents.length; i++) {
            if (!percents[i].isEmpty()) {
                byRate.put(rates.get(i), percents[i]);
            }
        }
        return byRate;
    }

    /** The published percentage of received datagrams; pf_ring is the published kernel capture. */
    static Optional<String> received(String subject, int size, long rate) {
        Map<String, Map<Long, String>> table = size == 50 ? RATIOS_OF_50_BYTES : RATIOS;
        if (size != 50 && size != 125) {
            return Optional.empty();
        }
        return Optional.ofNullable(table.getOrDefault(subject, Map.of()).get(rate));
    }
}
