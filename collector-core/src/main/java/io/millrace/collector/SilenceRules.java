package io.millrace.collector;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When sources count as silent: by the first group that has them, and otherwise by the limit of all. Immutable.
 *
 * @param others the limit of sources in no group
 * @param groups groups of sources, in their order
 * @param denied the sources of which nothing is accepted: they are never silent
 */
public record SilenceRules(SilenceLimit others, List<Group> groups, Predicate<SourceAddress> denied) {
    /**
     * A group of sources. A source is in it by its address, or by the host name in its messages. A relay, whose messages have several
     * host names, is in it by its address only.
     *
     * @param networks of its addresses
     * @param hosts its host names, in any case; {@code *} stands for any characters
     * @param limit when one of its sources counts as silent
     */
    public record Group(List<Network> networks, List<Pattern> hosts, SilenceLimit limit) {
        /** Copies the lists. */
        public Group {
            networks = List.copyOf(networks);
            hosts = List.copyOf(hosts);
        }

        private boolean has(Network address, @Nullable String host) {
            return networks.stream().anyMatch(network -> network.contains(address))
                    || (host != null
                            && hosts.stream()
                                    .anyMatch(pattern -> pattern.matcher(host).matches()));
        }
    }

    /** Rules without denied sources. */
    public SilenceRules(SilenceLimit others, List<Group> groups) {
        this(others, groups, source -> false);
    }

    /** Copies the groups. */
    public SilenceRules {
        groups = List.copyOf(groups);
    }

    /** One limit for all sources. */
    public static SilenceRules of(SilenceLimit limit) {
        return new SilenceRules(limit, List.of());
    }

    /** The same rules with other denied sources. */
    public SilenceRules denying(Predicate<SourceAddress> sources) {
        return new SilenceRules(others, groups, sources);
    }

    /**
     * A pattern of host names.
     *
     * @param text a name, in which {@code *} stands for any characters
     * @throws IllegalArgumentException if it has a blank, or nothing
     */
    public static Pattern host(String text) {
        if (!text.matches("\\S{1,255}")) {
            throw new IllegalArgumentException("accepts a host name, such as fw1 or fw*, not '" + text + "'");
        }
        String[] parts = text.split("\\*", -1);
        StringBuilder regex = new StringBuilder(Pattern.quote(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            // Without going back to a part that was found: senders choose the names, and could make that take long.
            String part = Pattern.quote(parts[i]);
            regex.append(i < parts.length - 1 ? "(?>.*?" + part + ")" : ".*" + part);
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    /** The limit of a source. */
    public SilenceLimit limit(SourceAddress address, @Nullable String host) {
        if (denied.test(address)) {
            return SilenceLimit.NEVER;
        }
        if (groups.isEmpty()) {
            return others;
        }
        Network network = address.network();
        for (Group group : groups) {
            if (group.has(network, host)) {
                return group.limit();
            }
        }
        return others;
    }
}
