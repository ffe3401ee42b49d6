package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Servers of three HTTP interfaces and of syslog over TCP, TLS and UDP. They answer as real servers do, and fail in every way that these can. */
final class FaultyServers implements AutoCloseable {
    /** How they behave. */
    enum Fault {
        NONE,
        /** One message is rejected: that with {@code refuse-me} in it. */
        REFUSES_ONE,
        REFUSES_ALL,
        SLOW,
        /** Nobody listens. */
        AWAY,
        /** Their answers mean nothing. The TLS server does not even speak TLS. */
        GARBAGE,
        /** Their answers do not end. */
        ENDLESS
    }

    private static final byte[] NONSENSE = "\u0000\u0001<html>{{{".repeat(100).getBytes(UTF_8);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SSLSocketFactory tlsSockets;
    private final Map<String, List<String>> received = new ConcurrentHashMap<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile Fault fault = Fault.NONE;
    private ExecutorService threads;
    private HttpServer http;
    private ServerSocket tcp;
    private ServerSocket tls;
    private DatagramSocket udp;
    private int httpPort;
    private int tcpPort;
    private int tlsPort;
    private int udpPort;

    FaultyServers(SSLContext context) throws IOException {
        tlsSockets = context.getSocketFactory();
        open();
    }

    int httpPort() {
        return httpPort;
    }

    int tcpPort() {
        return tcpPort;
    }

    int tlsPort() {
        return tlsPort;
    }

    int udpPort() {
        return udpPort;
    }

    /** What a server has got, as one text. */
    String text(String server) {
        return String.join("\n", received.getOrDefault(server, List.of()));
    }

    private void got(String server, String message) {
        received.computeIfAbsent(server, made -> new CopyOnWriteArrayList<>()).add(message);
    }

    void set(Fault next) throws IOException {
        if (next == Fault.AWAY) {
            close();
        } else if (fault == Fault.AWAY) {
            open();
        } else {
            drop();
        }
        fault = next;
    }

    /** Ends all connections: the next message needs new ones. */
    void drop() throws IOException {
        for (Socket each : connections) {
            each.close();
        }
    }

    private void open() throws IOException {
        threads = Executors.newCachedThreadPool();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        http = HttpServer.create(new InetSocketAddress(loopback, httpPort), 0);
        httpPort = http.getAddress().getPort();
        http.setExecutor(threads);
        http.createContext("/", this::answer);
        http.start();
        tcp = new ServerSocket(tcpPort, 50, loopback);
        tcpPort = tcp.getLocalPort();
        udp = new DatagramSocket(udpPort, loopback);
        udpPort = udp.getLocalPort();
        tls = new ServerSocket(tlsPort, 50, loopback);
        tlsPort = tls.getLocalPort();
        ServerSocket plain = tcp;
        ServerSocket secure = tls;
        DatagramSocket socket = udp;
        threads.execute(() -> accept(plain, "tcp"));
        threads.execute(() -> accept(secure, "tls"));
        threads.execute(() -> receive(socket));
    }

    private void accept(ServerSocket listening, String server) {
        try {
            while (true) {
                Socket accepted = listening.accept();
                boolean speaksTls = server.equals("tls") && fault != Fault.GARBAGE;
                Socket connection = speaksTls ? serverSide(accepted) : accepted;
                // Below TLS: its close waits for a write that waits for the client.
                connections.add(accepted);
                threads.execute(() -> {
                    serve(connection, server);
                    connections.remove(accepted);
                });
                threads.execute(() -> talk(connection));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private Socket serverSide(Socket accepted) throws IOException {
        SSLSocket socket = (SSLSocket) tlsSockets.createSocket(accepted, null, true);
        socket.setUseClientMode(false);
        return socket;
    }

    private void serve(Socket connection, String server) {
        try (connection;
                BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                pause();
                got(server, line);
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void talk(Socket connection) {
        try {
            OutputStream out = connection.getOutputStream();
            do {
                if (fault == Fault.GARBAGE || fault == Fault.ENDLESS) {
                    out.write(NONSENSE);
                }
            } while (fault == Fault.ENDLESS);
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void receive(DatagramSocket socket) {
        byte[] memory = new byte[65_536];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(memory, memory.length);
                socket.receive(packet);
                got("udp", new String(memory, 0, packet.getLength(), UTF_8));
                if (fault == Fault.GARBAGE || fault == Fault.ENDLESS) {
                    socket.send(new DatagramPacket(NONSENSE, NONSENSE.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void pause() {
        if (fault == Fault.SLOW) {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body;
            try (var in = new GZIPInputStream(exchange.getRequestBody())) {
                body = new String(in.readAllBytes(), UTF_8);
            }
            pause();
            if (fault == Fault.REFUSES_ALL) {
                reply(exchange, 400, "this is not what you think");
            } else if (fault == Fault.ENDLESS) {
                take(exchange.getRequestURI().getPath(), body);
                exchange.sendResponseHeaders(200, 0);
                while (fault == Fault.ENDLESS) {
                    exchange.getResponseBody().write(NONSENSE);
                }
            } else {
                Answer answer = take(exchange.getRequestURI().getPath(), body);
                boolean garbled = fault == Fault.GARBAGE;
                reply(exchange, garbled ? 200 : answer.status(), garbled ? new String(NONSENSE, UTF_8) : answer.text());
            }
        }
    }

    /** What a server says when it works. */
    private record Answer(int status, String text) {}

    private Answer take(String path, String body) throws IOException {
        boolean refused = fault == Fault.REFUSES_ONE && body.contains("refuse-me");
        if (path.endsWith("/_bulk")) {
            return new Answer(200, index(body, refused));
        } else if (refused) {
            return new Answer(400, "entry 7: max entry size exceeded");
        } else if (path.endsWith("/push")) {
            for (JsonNode stream : JSON.readTree(body).get("streams")) {
                stream.get("values").forEach(entry -> got("loki", entry.get(1).asText()));
            }
        } else {
            body.lines().forEach(line -> got("http", line));
        }
        return new Answer(204, "");
    }

    private String index(String body, boolean refuses) throws IOException {
        List<String> lines = body.lines().toList();
        ArrayNode items = JSON.createArrayNode();
        for (int i = 1; i < lines.size(); i += 2) {
            ObjectNode item = items.addObject().putObject("create");
            if (refuses && lines.get(i).contains("refuse-me")) {
                item.put("status", 400).putObject("error").put("type", "mapper_parsing_exception");
            } else {
                item.put("status", 201);
                got("elasticsearch", lines.get(i));
            }
        }
        return JSON.createObjectNode().put("errors", true).set("items", items).toString();
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() throws IOException {
        http.stop(0);
        tcp.close();
        tls.close();
        udp.close();
        drop();
        threads.shutdownNow();
    }
}
