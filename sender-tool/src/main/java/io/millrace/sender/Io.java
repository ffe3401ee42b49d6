package io.millrace.sender;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** By which means datagrams are handed to the kernel. */
enum Io {
    EPOLL,
    NIO;

    static final String AUTO = "auto";

    /** Reads an option's value; null stands for the means that is best here. */
    static @Nullable Io parse(String text) {
        if (text.equals(AUTO)) {
            return null;
        }
        return Arrays.stream(values())
                .filter(io -> io.text().equals(text))
                .findAny()
                .orElseThrow(() -> OptionValues.refused(text, "takes auto, epoll or nio"));
    }

    static Io best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Throws what says why this means cannot be had here, if it cannot. */
    void check() throws IOException {
        if (this == EPOLL && !Epoll.isAvailable()) {
            Throwable cause = Epoll.unavailabilityCause();
            throw new IOException(
                    "--io epoll needs Linux on x86-64 or AArch64 and Netty's native library: "
                            + (cause == null ? "not available" : cause.getMessage()),
                    cause);
        }
    }

    /**
     * Opens sources, from a number on.
     *
     * @param segment if not 0, the kernel cuts what is sent into datagrams of this size; for {@link #EPOLL} only
     */
    Transmitter open(Endpoints endpoints, int from, int sources, int segment) throws IOException {
        return this == EPOLL
                ? EpollTransmitter.open(endpoints, from, sources, segment)
                : ChannelTransmitter.open(endpoints, from, sources);
    }

    /** Opens what runs the same code and sends nothing to anybody. */
    Transmitter openIdling(int sources) throws IOException {
        return this == EPOLL ? EpollTransmitter.idling(sources) : ChannelTransmitter.idling(sources);
    }
}
