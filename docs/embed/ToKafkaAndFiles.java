import io.millrace.collector.Collector;
import io.millrace.output.file.FileSettings;
import io.millrace.output.kafka.KafkaSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Delivers syslog to Kafka and to a file per host, until standard input ends: {@code ToKafkaAndFiles PORT DIRECTORY BROKER}. */
public final class ToKafkaAndFiles {
    public static void main(String[] args) throws IOException {
        KafkaSettings kafka =
                KafkaSettings.builder().brokers(args[2]).topic("logs").build();
        FileSettings files = FileSettings.builder()
                .path(args[1] + "/logs/{hostname}.log")
                .rotateSize(100 << 20)
                .build();
        try (Collector collector = Collector.builder()
                .listen("syslog", new InetSocketAddress(Integer.parseInt(args[0])))
                .journal(Path.of(args[1], "data"))
                .deliver(kafka.delivery("kafka"), kafka.sink("kafka"))
                .deliver(files.delivery("files"), files.sink("files"))
                .build()
                .start()) {
            System.out.println("port " + collector.addresses().get(0).getPort());
            while (System.in.read() >= 0) {}
        }
    }
}
