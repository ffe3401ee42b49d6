package io.millrace.app.doctor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The remedy of a finding.
 *
 * @param steps commands
 * @param advice advice in addition to commands; may be empty
 */
public record Remediation(List<Step> steps, String advice) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@+-]+");

    /** No remedy is needed. */
    public static final Remediation NONE = new Remediation(List.of(), "");

    /** Copies the steps. */
    public Remediation {
        steps = List.copyOf(steps);
    }

    /** A command that takes effect at once, and one that makes it permanent. */
    public sealed interface Step {
        /** For a person's shell. */
        String now();

        /** For a person's shell. */
        String lasting();
    }

    /** Sets a kernel setting. */
    record Sysctl(String key, String value) implements Step {
        @Override
        public String now() {
            return "sudo sysctl -w " + quote(key + "=" + value);
        }

        @Override
        public String lasting() {
            return "echo " + quote(key + " = " + value) + " | sudo tee -a " + DoctorScript.SYSCTL_FILE;
        }
    }

    /**
     * Changes a setting of an interface's driver. The arguments begin with an option of ethtool and contain the
     * interface's name.
     */
    record Ethtool(String device, List<String> arguments) implements Step {
        String command() {
            StringBuilder text = new StringBuilder("ethtool");
            arguments.forEach(it -> text.append(' ').append(quote(it)));
            return text.toString();
        }

        @Override
        public String now() {
            return "sudo " + command();
        }

        /** Interfaces renamed at boot have the udev action {@code move}. */
        String rule() {
            return rulePrefix(device) + "RUN+=\"/usr/sbin/ethtool " + String.join(" ", arguments) + "\"";
        }

        @Override
        public String lasting() {
            return tee(rule());
        }
    }

    /** Writes a file of an interface under {@code /sys/class/net}. */
    record DeviceFile(String device, String file, String value) implements Step {
        String path() {
            return "/sys/class/net/" + device + "/" + file;
        }

        @Override
        public String now() {
            return "echo " + quote(value) + " | sudo tee " + quote(path());
        }

        String rule() {
            return rulePrefix(device) + "ATTR{" + file + "}=\"" + value + "\"";
        }

        @Override
        public String lasting() {
            return tee(rule());
        }
    }

    /** Binds an interrupt to a CPU. Interrupt numbers change at boot, so a program has to repeat it. */
    record Interrupt(int number, int cpu) implements Step {
        String path() {
            return "/proc/irq/" + number + "/smp_affinity_list";
        }

        @Override
        public String now() {
            return "echo " + cpu + " | sudo tee " + path();
        }

        @Override
        public String lasting() {
            return "sudo systemctl enable --now irqbalance";
        }
    }

    /** The word in single quotes if a shell needs them. */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String rulePrefix(String device) {
        return "ACTION==\"add|move\", SUBSYSTEM==\"net\", KERNEL==\"" + device + "\", ";
    }

    private static String tee(String rule) {
        return "echo " + quote(rule) + " | sudo tee -a " + DoctorScript.RULES_FILE;
    }

    static Remediation sysctl(String key, Object value) {
        return new Remediation(List.of(new Sysctl(key, String.valueOf(value))), "");
    }

    static Remediation deviceFile(String device, String file, String value) {
        return new Remediation(List.of(new DeviceFile(device, file, value)), "");
    }

    static Remediation advice(String advice) {
        return new Remediation(List.of(), advice);
    }

    Remediation with(String more) {
        return new Remediation(steps, more);
    }

    Remediation and(Remediation other) {
        List<Step> all = new ArrayList<>(steps);
        all.addAll(other.steps);
        return new Remediation(Collections.unmodifiableList(all), advice.isEmpty() ? other.advice : advice);
    }

    /** The commands that fix it now, without repetition. */
    public List<String> now() {
        return steps.stream().map(Step::now).distinct().toList();
    }

    /** The commands that make it permanent, without repetition. */
    public List<String> lasting() {
        return steps.stream().map(Step::lasting).distinct().toList();
    }
}
