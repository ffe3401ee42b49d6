package io.millrace.internal.disk;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The registered disks. In production there are none. Any thread. */
public final class Disks {
    private static volatile Map<Path, Disk> registered = Map.of();

    private Disks() {}

    /** Registers the disk of everything below a directory; for tests. */
    public static synchronized void register(Path root, Disk disk) {
        Map<Path, Disk> next = new HashMap<>(registered);
        next.put(root.toAbsolutePath(), disk);
        registered = Map.copyOf(next);
    }

    /** Removes what {@link #register} has added. */
    public static synchronized void remove(Path root) {
        Map<Path, Disk> next = new HashMap<>(registered);
        next.remove(root.toAbsolutePath());
        registered = Map.copyOf(next);
    }

    static Disk of(Path path) {
        Map<Path, Disk> disks = registered;
        return disks.isEmpty() ? RealDisk.INSTANCE : find(disks, path);
    }

    private static Disk find(Map<Path, Disk> disks, Path path) {
        for (Path at = path.toAbsolutePath(); at != null; at = at.getParent()) {
            Disk disk = disks.get(at);
            if (disk != null) {
                return disk;
            }
        }
        return RealDisk.INSTANCE;
    }
}
