package io.millrace.internal.transport.stream;

import io.millrace.collector.StreamSettings;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class SocketFile {
    private static final Logger LOG = LoggerFactory.getLogger(SocketFile.class);

    private final Path path;
    private final @Nullable Object key;

    private SocketFile(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    /**
     * Makes room for a socket: a file that another process left behind is removed, if no process listens on it.
     *
     * @throws IOException if something else is there, a process listens, or the directory is missing
     */
    static void prepare(Path path) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new IOException("cannot listen on " + path + ": there is no directory " + directory
                    + " (create it; for a unit of systemd, RuntimeDirectory= does)");
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!attributes(path).isOther()) {
            throw new IOException("cannot listen on " + path
                    + ": a file is there that is not a socket (remove it, or listen" + " elsewhere)");
        }
        LinuxSocket probe = LinuxSocket.newSocketDomain();
        try {
            probe.connect(new DomainSocketAddress(path.toFile()));
        } catch (IOException e) {
            String said = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            if (said.contains("refused")) {
                LOG.info("{} was left behind by a process that is gone: it is removed", path);
                Files.delete(path);
                return;
            }
            if (!said.contains("wrong type")) {
                throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
            }
        } finally {
            probe.close();
        }
        throw new IOException("cannot listen on " + path
                + ": address already in use (another program listens there; see" + " which: ss -lxp src " + path + ")");
    }

    /**
     * A socket is bound there now: sets who may use it.
     *
     * @throws IOException if that cannot be set
     */
    static SocketFile bound(Path path, StreamSettings settings) throws IOException {
        SocketFile file = new SocketFile(path, attributes(path).fileKey());
        try {
            permit(path, settings);
            return file;
        } catch (IOException e) {
            file.remove();
            throw e;
        }
    }

    /** Sets mode and owner; the message of a failure says what was wrong. */
    private static void permit(Path path, StreamSettings settings) throws IOException {
        try {
            PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
            String owner = settings.values().find(StreamSettings.OWNER);
            if (owner != null) {
                int colon = owner.indexOf(':');
                UserPrincipalLookupService names = path.getFileSystem().getUserPrincipalLookupService();
                if (colon >= 0) {
                    view.setGroup(names.lookupPrincipalByGroupName(owner.substring(colon + 1)));
                }
                if (colon != 0) {
                    view.setOwner(names.lookupPrincipalByName(colon < 0 ? owner : owner.substring(0, colon)));
                }
            }
            view.setPermissions(settings.get(StreamSettings.MODE));
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("cannot set the owner of " + path + ": there is no '" + e.getName() + "'", e);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot set mode and owner of " + path + ": " + e.getMessage(), e);
        }
    }

    /**
     * The file of a socket that another process has bound, and passed on.
     *
     * @return null if there is no such file any more: nobody can connect to that socket
     */
    static @Nullable SocketFile passed(Path path, StreamSettings settings) {
        try {
            SocketFile file = new SocketFile(path, attributes(path).fileKey());
            permit(path, settings);
            return file;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            // The previous process has ended: this one must not fail.
            LOG.warn("{} keeps its mode and owner: {}", path, e.getMessage());
            return new SocketFile(path, null);
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the file, unless it is another one meanwhile. */
    void remove() {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    && Objects.equals(key, attributes(path).fileKey())) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.warn("Socket file {} cannot be removed: {}", path, e.getMessage());
        }
    }
}
