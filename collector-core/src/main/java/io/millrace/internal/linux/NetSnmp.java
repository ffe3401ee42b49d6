package io.millrace.internal.linux;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Parser of {@code /proc/net/snmp}, {@code netstat} and {@code snmp6}: the counters of IP, UDP and TCP since the boot. */
public final class NetSnmp {
    private static final List<String> PROTOCOLS = List.of("Ip", "Udp", "TcpExt");

    private NetSnmp() {}

    /**
     * The sums of IPv4 and IPv6 by names such as {@code Udp NoPorts}. A counter that the kernel does not have, or that
     * is not a number, is not in the map.
     *
     * @param snmp the text of {@code snmp} or {@code netstat}: names in one line, values in the next; empty if it cannot be read
     * @param snmp6 the text of {@code snmp6}: a name and a value per line; empty if it cannot be read
     */
    public static Map<String, Long> sums(String snmp, String snmp6) {
        Map<String, Long> sums = new HashMap<>();
        Iterator<String> lines = snmp.lines().iterator();
        while (lines.hasNext()) {
            String nameLine = lines.next();
            String valueLine = lines.hasNext() ? lines.next() : nameLine;
            String protocol = nameLine.substring(0, Math.max(0, nameLine.indexOf(':')));
            if (PROTOCOLS.contains(protocol)) {
                String[] names = ProcText.words(nameLine);
                String[] values = ProcText.words(valueLine);
                for (int i = 1; i < Math.min(names.length, values.length); i++) {
                    add(sums, protocol + " " + names[i], values[i]);
                }
            }
        }
        snmp6.lines().map(ProcText::words).forEach(words -> {
            int six = words[0].indexOf('6');
            if (words.length == 2 && six > 0) {
                add(sums, words[0].substring(0, six) + " " + words[0].substring(six + 1), words[1]);
            }
        });
        return sums;
    }

    private static void add(Map<String, Long> sums, String name, String value) {
        Long number = ProcText.number(value);
        if (number != null) {
            sums.merge(name, number, Long::sum);
        }
    }
}
