import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.transport.Netty4ModulePlugin;

/** An OpenSearch node on the loopback: {@code java Node.java DIRECTORY HTTP_PORT TRANSPORT_PORT}. Run from its source, because it needs Java 21. */
final class Node {
    private Node() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Path config = Files.createDirectories(home.resolve("config"));
        Settings settings = Settings.builder()
                .put("path.home", home.toString())
                .put("path.data", home.resolve("data").toString())
                .put("path.logs", home.resolve("logs").toString())
                .put("network.host", "127.0.0.1")
                .put("http.port", args[1])
                .put("transport.port", args[2])
                .put("discovery.type", "single-node")
                .put("cluster.name", "test")
                .put("node.name", "node")
                .build();
        var node = new OpenSearchRunnerNode(
                new Environment(settings, config),
                List.of(Netty4ModulePlugin.class, MapperExtrasModulePlugin.class, IngestCommonModulePlugin.class));
        node.start();
        System.out.println("ready");
        Thread.sleep(Long.MAX_VALUE);
    }
}
