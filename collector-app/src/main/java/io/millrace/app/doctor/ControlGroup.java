package io.millrace.app.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The control group of the process for a controller: its directory and those above it, whose limits all apply.
 *
 * @param version 1 or 2
 * @param directories the group's own first
 */
record ControlGroup(int version, List<String> directories) {
    private static final String ROOT = "/sys/fs/cgroup";

    /** The control group; null if there is none. */
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

    /** In a container, the path may not exist or start above the mount: then the mount's root is the group. */
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
