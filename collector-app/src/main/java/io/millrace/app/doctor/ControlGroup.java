package io.millrace.app.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The control group of the process for one controller: its directory and those above it, for the limits of all of them
 * hold.
 *
 * @param version 1 or 2
 * @param directories its own first
 */
record ControlGroup(int version, List<String> directories) {
    private static final String ROOT = "/sys/fs/cgroup";

    /** Null if there are no control groups to see. */
    static @Nullable ControlGroup of(Examination examination, String controller) {
        String text = examination
                .host()
                .read(examination.process().proc() + "/cgroup")
                .text();
        if (text == null) {
            return null;
        }
        ControlGroup second = null;
        for (String line : text.lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                return new ControlGroup(1, upwards(ROOT + "/" + controller, parts[2]));
            }
            if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
                second = new ControlGroup(2, upwards(ROOT, parts[2]));
            }
        }
        return second;
    }

    /** In a container the path may be one that is not there, or begin above it: then the mount's root is the group. */
    private static List<String> upwards(String root, String path) {
        List<String> directories = new ArrayList<>();
        String rest = path.contains("..") ? "" : path.replaceFirst("/$", "");
        while (!rest.isEmpty()) {
            directories.add(root + rest);
            rest = rest.substring(0, rest.lastIndexOf('/'));
        }
        directories.add(root);
        return directories;
    }
}
