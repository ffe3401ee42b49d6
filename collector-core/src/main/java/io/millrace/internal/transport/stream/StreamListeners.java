package io.millrace.internal.transport.stream;

import io.millrace.collector.Endpoint;
import io.millrace.collector.StreamCounters.SenderNotice;
import io.millrace.collector.StreamInput;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.collector.TlsServerSettings;
import io.millrace.internal.counters.SenderNotices;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.counters.StreamCells;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.BindFailure;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.SocketBinder;
import io.netty.channel.ChannelException;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening sockets of all stream inputs, bound. An input on TCP has one in each shard: the kernel spreads connections over them. A
 * Unix socket cannot be shared like that: it is in one shard.
 */
public final class StreamListeners {
    private static final Logger LOG = LoggerFactory.getLogger(StreamListeners.class);

    /** Connections that wait to be accepted; the kernel limits it to {@code net.core.somaxconn}. */
    public static final int BACKLOG = 4096;

    private final boolean onEpoll;
    private final List<List<StreamListener>> byShard = new ArrayList<>();
    /** Sockets of Unix datagrams, by shard too. */
    private final List<List<ListeningSocket>> datagrams = new ArrayList<>();

    private final List<Endpoint> endpoints = new ArrayList<>();
    /** By input, in all shards. */
    private final Map<String, SenderNotices> notices = new LinkedHashMap<>();

    private final List<TlsServer> tlsServers = new ArrayList<>();
    private final PassedStreams passed;

    private final ConnectionLimits.Budget budget;

    private StreamListeners(boolean onEpoll, int shards, PassedStreams passed, ConnectionLimits.Budget budget) {
        this.onEpoll = onEpoll;
        this.budget = budget;
        this.passed = passed;
        for (int shard = 0; shard < shards; shard++) {
            byShard.add(new ArrayList<>());
            datagrams.add(new ArrayList<>());
        }
    }

    /**
     * Binds, or continues with what another process has passed on.
     *
     * @param passed by another process; what no input takes is closed
     * @param ids the ids of the inputs in the journal, in their order
     * @param onEpoll whether event loops are those of epoll, or of NIO
     * @param shards how many receivers there are
     * @throws IOException if one cannot be bound; the message names it and says what to do. None is left open
     */
    public static StreamListeners bind(
            List<StreamInput> inputs, List<Integer> ids, boolean onEpoll, int shards, List<PassedStream> passed)
            throws IOException {
        StreamListeners listeners = new StreamListeners(
                onEpoll, shards, new PassedStreams(passed), ConnectionLimits.Budget.ofProcess(inputs));
        try {
            listeners.passed.closeOthers(inputs);
            for (int i = 0; i < inputs.size(); i++) {
                listeners.bind(inputs.get(i), ids.get(i));
            }
            listeners.passed.close();
            return listeners;
        } catch (IOException | RuntimeException e) {
            listeners.close();
            throw e;
        }
    }

    private void bind(StreamInput input, int id) throws IOException {
        ConnectionLimits limits = new ConnectionLimits(input, budget);
        InetSocketAddress address = input.endpoint().address();
        if (address == null) {
            Path path = Objects.requireNonNull(input.endpoint().path());
            endpoints.add(input.endpoint());
            int shard = id % byShard.size();
            if (!input.endpoint().isStream()) {
                bindDatagrams(input, id, path, shard);
                return;
            }
            bindUnix(input, id, path, shard, limits);
            return;
        }
        TlsServer tls = tls(input);
        for (int shard = 0; shard < byShard.size(); shard++) {
            try {
                PassedStream bound = passed.takeListener(input.endpoint(), shard);
                if (bound == null && shard == 0) {
                    // The first is bound without SO_REUSEPORT, so none of the others may be open.
                    passed.closeListeners(input.endpoint());
                }
                ServerChannel channel = bound != null
                        ? new EpollServerSocketChannel(bound.descriptor())
                        : onEpoll ? tcpOnEpoll(address, shard) : tcpOnNio(address);
                add(input, id, shard, channel, limits, null, tls);
                address = (InetSocketAddress) channel.localAddress();
            } catch (IOException | ChannelException | UnsupportedOperationException e) {
                throw BindFailure.ofTcp(address, e);
            }
        }
        endpoints.add(input.endpoint().at(address));
    }

    private @Nullable TlsServer tls(StreamInput input) throws IOException {
        TlsServerSettings settings = input.settings().tls();
        if (settings == null) {
            return null;
        }
        TlsServer server = TlsServer.of(input.name(), settings);
        tlsServers.add(server);
        return server;
    }

    private void bindUnix(StreamInput input, int id, Path path, int shard, ConnectionLimits limits) throws IOException {
        PassedStream bound = passed.takeListener(input.endpoint(), shard);
        SocketFile passedFile = bound == null ? null : SocketFile.passed(path, input.settings());
        if (bound != null && passedFile != null) {
            ServerChannel channel = new EpollServerDomainSocketChannel(bound.descriptor(), true);
            add(input, id, shard, channel, limits, passedFile, null);
            return;
        }
        if (bound != null) {
            PassedStream.close(List.of(bound));
        }
        SocketFile.prepare(path);
        ServerChannel channel = onEpoll ? unixOnEpoll(path) : unixOnNio(path);
        SocketFile file;
        try {
            file = SocketFile.bound(path, input.settings());
        } catch (IOException e) {
            channel.unsafe().closeForcibly();
            throw e;
        }
        add(input, id, shard, channel, limits, file, null);
    }

    private void bindDatagrams(StreamInput input, int id, Path path, int shard) throws IOException {
        if (!onEpoll) {
            throw new IOException("cannot listen on " + input.endpoint()
                    + ": datagrams of Unix sockets take the transport native or epoll");
        }
        LocalDatagramSocket socket = LocalDatagramSocket.bind(path, id, input.settings());
        SocketCells counters = new SocketCells(input.name(), shard, socket.grantedReceiveBuffer());
        datagrams.get(shard).add(new ListeningSocket(socket, id, counters));
    }

    private void add(
            StreamInput input,
            int id,
            int shard,
            ServerChannel channel,
            ConnectionLimits limits,
            @Nullable SocketFile file,
            @Nullable TlsServer tls) {
        StreamCells counters = new StreamCells(input.name(), shard, tls == null ? null : tls::expires);
        StreamListener listener = new StreamListener(
                input,
                id,
                shard,
                channel,
                limits,
                counters,
                notices.computeIfAbsent(input.name(), SenderNotices::new),
                file,
                tls);
        byShard.get(shard).add(listener);
        listener.passed(passed.takeConnections(input.endpoint(), shard));
    }

    /**
     * The first is bound without {@code SO_REUSEPORT}, which fails if anybody has the port, and gets it before it listens: as UDP
     * sockets do.
     */
    private ServerChannel tcpOnEpoll(InetSocketAddress address, int shard) throws IOException {
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        LinuxSocket socket = LinuxSocket.newSocketStream(ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        try {
            socket.setReuseAddress(true);
            if (shard > 0) {
                socket.setReusePort(true);
            }
            socket.bind(address);
            if (shard == 0 && byShard.size() > 1) {
                socket.setReusePort(true);
            }
            socket.listen(BACKLOG);
            return new EpollServerSocketChannel(socket.intValue());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private ServerChannel tcpOnNio(InetSocketAddress address) throws IOException {
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        ServerSocketChannel channel =
                ServerSocketChannel.open(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (byShard.size() > 1) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(address, BACKLOG);
            return new NioServerSocketChannel(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ServerChannel unixOnEpoll(Path path) throws IOException {
        LinuxSocket socket = LinuxSocket.newSocketDomain();
        try {
            socket.bind(new DomainSocketAddress(path.toFile()));
            socket.listen(BACKLOG);
            return new EpollServerDomainSocketChannel(socket.intValue(), true);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
        }
    }

    private static ServerChannel unixOnNio(Path path) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            return new NioServerDomainSocketChannel(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
        }
    }

    /** Those of a shard. */
    public List<StreamListener> ofShard(int shard) {
        return byShard.get(shard);
    }

    /** The sockets of Unix datagrams of a shard; the shard's receiver closes them. */
    public List<ListeningSocket> datagramsOfShard(int shard) {
        return datagrams.get(shard);
    }

    /** Where the inputs listen, in their order, with the ports that the kernel chose. */
    public List<Endpoint> endpoints() {
        return List.copyOf(endpoints);
    }

    /** The counters of each listener, by input and then by shard. Any thread. */
    public List<StreamCells> counters() {
        return byShard.stream()
                .flatMap(List::stream)
                .map(StreamListener::counters)
                .sorted(Comparator.comparing(StreamCells::input).thenComparing(StreamCells::shard))
                .toList();
    }

    /** What senders did in the last minute. Any thread. */
    public List<SenderNotice> notices() {
        long nowNs = System.nanoTime();
        return notices.values().stream()
                .flatMap(ofInput -> ofInput.recent(nowNs).stream())
                .toList();
    }

    /** The certificates of the inputs on TLS. Any thread. */
    public List<TlsServer> tlsServers() {
        return List.copyOf(tlsServers);
    }

    /** Closes those that no event loop has. */
    public void close() {
        tlsServers.forEach(TlsServer::close);
        passed.close();
        SocketBinder.closeAll(datagrams);
        for (List<StreamListener> ofShard : byShard) {
            for (StreamListener listener : ofShard) {
                try {
                    listener.close();
                } catch (IOException e) {
                    LOG.debug("A listener did not close", e);
                }
            }
        }
    }
}
