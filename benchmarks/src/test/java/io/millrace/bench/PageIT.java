package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.awt.Image;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, with real load. Its pictures are in {@code target/screenshots}, to be looked at. */
@Tag("calm")
@Tag("once")
@Timeout(240)
class PageIT {
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Down to the chart, in pixels. */
    private static final int README_HEIGHT = 780;

    private static final String HOSTILE =
            "<11>Nov 21 10:00:00 evil app: <script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";

    /** The elements beyond the right edge, but for those that scroll by themselves; empty if the page does not scroll. */
    private static final String WIDER_THAN_THE_PAGE = """
            document.documentElement.scrollWidth <= %1$d ? '' : [...document.querySelectorAll('body *')]
              .filter((it) => it.getBoundingClientRect().right > %1$d && !it.closest('.scroll'))
              .map((it) => it.tagName + '#' + it.id + ' ' + it.textContent.slice(0, 50)).join('; ') || 'unknown'
            """;

    /** True once the chart has the colours of the page. */
    private static final String CHART_IS_PAINTED = """
            (document.getElementById('chart').dataset.colour
              ?? getComputedStyle(document.documentElement).getPropertyValue('--ink').trim())
              === getComputedStyle(document.documentElement).getPropertyValue('--ink').trim()
            """;

    /** From the next update on, as pictures of the documentation show it. */
    private static final String USUAL_DATA_DIRECTORY = """
            Object.defineProperty(document.querySelector('#about'), 'textContent', {
              configurable: true,
              get() { return this.firstChild?.data ?? 'junit'; },
              set(text) { this.replaceChildren(text.replace(/\\S*junit\\S*data/, '/var/lib/millrace')); }
            })
            """;

    @TempDir
    private Path directory;

    @BeforeAll
    static void needs() {
        Needs.program("chromium");
    }

    @Test
    @Tag("full")
    void showsMessagesAtAnyWidthAndColour() throws Exception {
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  hosts: {listen: "127.0.0.1:0"}
                  relays: {listen: "tcp://127.0.0.1:0"}
                  local: {listen: "unixgram://%s"}
                outputs:
                  archive: {type: file, path: %s, format: json}
                  nowhere: {type: http, url: "http://127.0.0.1:9/"}
                receive: {receivers: 2}
                """.formatted(
                        directory.resolve("log.sock"), directory.resolve("out")));
        try (Service service = Service.startWith(directory.resolve("data"), "--config", config.toString());
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl())) {
            await().atMost(SOON).until(() -> browser.text("#state").equals("ready"));
            try (Forked sender = load(service, "20k")) {
                await().atMost(SOON)
                        .until(() -> number(browser.text("#rate-received")) > 5_000
                                && number(browser.text("#rate-delivered")) > 5_000);
                assertThat(browser.text("#path")).contains("Millrace's socket buffers");
                assertThat(browser.text("#flow-inputs")).contains("hosts", "relays", "local");
                assertThat(browser.text("#flow-outputs")).contains("archive", "nowhere");
                assertThat(browser.text("#outputs")).contains("archive", "nowhere");
                await().atMost(SOON).until(() -> browser.text("#outputs").contains("127.0.0.1:9"));
                await().atMost(SOON).until(() -> browser.text("#state").equals("degraded"));
                assertThat(browser.text("#problems")).contains("output nowhere does not deliver");
                assertThat(browser.text("title")).startsWith("! output nowhere does not deliver");
                assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
                assertThat(service.get("/readyz").body()).contains("warning: output nowhere does not deliver");
                assertThat(browser.text("#sockets")).contains("hosts", "local");
                assertThat(browser.text("#connections")).contains("relays");
                await().atMost(SOON).until(() -> browser.text("#found").contains("127.0.0.1"));
                assertThat(browser.evaluate("document.querySelectorAll('#found polyline').length")
                                .asInt())
                        .isEqualTo(1);
                type(browser, "192.0.2");
                await().atMost(SOON).until(() -> browser.text("#found").contains("None matches."));
                type(browser, "");
                await().atMost(SOON).until(() -> browser.text("#found").contains("127.0.0.1"));
                await().atMost(SOON).until(() -> browser.text("#chart-text").startsWith("Received at most"));
                assertThat(sender.isAlive()).isTrue();
            }
            for (int width : new int[] {1280, 390}) {
                browser.show(width, false);
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(browser.evaluate(WIDER_THAN_THE_PAGE.formatted(width))
                                        .asText())
                                .as("what makes the page scroll sideways at %d", width)
                                .isEmpty());
            }
            assertThat(browser.errors()).as("errors on the page").isEmpty();
            service.stop();
            await().atMost(SOON).until(() -> browser.text("#state").contains("no answer"));
        }
    }

    @Test
    void showsMessagesAsTextAndWorksWithTheKeyboard() throws Exception {
        try (Service service = Service.start(List.of(), directory.resolve("data"));
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl())) {
            await().atMost(SOON).until(() -> browser.text("#state").equals("ready"));
            browser.evaluate("document.getElementById('where').value = 'severity <= err'");
            browser.evaluate("document.getElementById('where').focus()");
            browser.press("Tab");
            browser.press("Enter");
            await().atMost(SOON).until(() -> browser.text("#tail-button").equals("Stop"));
            await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
                send(service, HOSTILE);
                send(service, "<14>Nov 21 10:00:00 tame app: not severe enough");
                return browser.text("#messages").contains("onerror");
            });
            assertThat(browser.text("#messages")).contains("<script>document.title='owned'</script>");
            assertThat(browser.text("#messages")).doesNotContain("not severe enough");
            assertThat(browser.evaluate("document.querySelectorAll('#messages script, #messages img').length")
                            .asInt())
                    .isZero();
            assertThat(browser.text("title")).startsWith("Millrace on ");
            browser.press("Enter");
            browser.evaluate("document.getElementById('where').value = 'severity <='");
            browser.press("Enter");
            await().atMost(SOON).until(() -> browser.text("#tail-note").contains("column"));
            service.stop();
        }
    }

    /** A person who filters must not miss a message. The page counts all, and keeps the last 200. */
    @Test
    @Tag("full")
    void tailShowsEachOfTwoThousandMessagesPerSecond() throws Exception {
        try (Service service = Service.start(List.of(), directory.resolve("data"));
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl())) {
            await().atMost(SOON).until(() -> browser.text("#state").equals("ready"));
            browser.evaluate("document.getElementById('where').value = 'severity >= emerg'");
            browser.evaluate("document.getElementById('tail-button').click()");
            await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
                send(service, "<11>Nov 21 10:00:00 fw1 first: one");
                return browser.text("#messages").contains("first");
            });
            TimeUnit.SECONDS.sleep(1);
            long before = number(browser.text("#tail-note"));
            try (Forked sender =
                    Forked.load("--to", service.target(), "--rate", "2k", "--count", "10000", "--sources", "8")) {
                assertThat(sender.awaitExit(SOON)).as("%s", sender.err()).isZero();
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(browser.text("#tail-note"))
                            .isEqualTo(String.format(Locale.ROOT, "%,d messages", before + 10_000)));

            // A click on a value filters by it, and starts again.
            send(service, "<11>Nov 21 10:00:00 fw1 last: one");
            await().atMost(SOON).until(() -> browser.text("#messages").contains("last"));
            browser.evaluate(
                    "[...document.querySelectorAll('#messages button')].find((it) => it.textContent === 'fw1').click()");
            assertThat(browser.evaluate("document.getElementById('where').value")
                            .asText())
                    .isEqualTo("(severity >= emerg) and hostname == \"fw1\"");
            await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(() -> {
                send(service, "<11>Nov 21 10:00:00 fw2 other: two");
                send(service, "<11>Nov 21 10:00:00 fw1 wanted: one");
                return browser.text("#messages").contains("wanted");
            });
            assertThat(browser.text("#messages")).doesNotContain("other");

            // The past: of the ten thousand messages, the first that match.
            browser.evaluate("document.getElementById('where').value = 'hostname == \"fw1\"'");
            browser.evaluate("document.getElementById('from').value = '10m'");
            browser.evaluate("document.getElementById('search-button').click()");
            await().atMost(SOON).until(() -> browser.text("#tail-note").contains("found in"));
            assertThat(browser.text("#tail-note")).doesNotContain("there is more");
            assertThat(browser.text("#messages")).contains("first", "wanted").doesNotContain("other");
            assertThat(browser.errors()).isEmpty();
            browser.evaluate("document.getElementById('from').value = 'soon'");
            browser.evaluate("document.getElementById('search-button').click()");
            await().atMost(SOON).until(() -> browser.text("#tail-note").contains("from accepts a time"));
            service.stop();
        }
    }

    @Test
    @Tag("full")
    void showsLossInRedAtItsDropPoint() throws Exception {
        Path config = Files.writeString(
                directory.resolve("millrace.yaml"),
                "outputs: {archive: {type: file, path: %s}}\n".formatted(directory.resolve("archive.log")));
        try (Service service = Service.start(
                        List.of(), directory.resolve("data"), "--config", config.toString(), "--receive-buffer", "1m");
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl())) {
            await().atMost(SOON).until(() -> browser.text("#state").equals("ready"));
            try (Forked sender = load(service, "50k")) {
                await().atMost(SOON).until(() -> number(browser.text("#rate-received")) > 1_000);
                service.process().signal("STOP");
                TimeUnit.SECONDS.sleep(1);
                service.process().signal("CONT");
                await().atMost(SOON)
                        .until(() -> browser.text("#leak-sockets.bad").contains("lost at the sockets"));
                assertThat(number(browser.text("#lost-hour"))).isPositive();
                // The history may have its sample of this second between the two parts of an answer.
                await().atMost(SOON).until(() -> browser.text("#state").equals("failing"));
                assertThat(browser.text("#problems li")).contains("lost in the last minute", "millrace doctor");
                assertThat(browser.evaluate("document.querySelector('link[rel=icon]').href")
                                .asText())
                        .startsWith("data:image/svg+xml");
                String page = browser.evaluate("new URL(document.querySelector('#leak-sockets a').href).pathname")
                        .asText();
                assertThat(page).isEqualTo("/docs/operate/runbook/socket-buffer.md");
                assertThat(service.get(page).body()).contains("<h1", "Loss at the socket buffer", "<table>");
                assertThat(sender.isAlive()).isTrue();
            }
            service.stop();
        }
    }

    /** Each state is answered by one screen of a laptop and of a phone. With {@code millrace.docs.write} the pictures are kept. */
    @Test
    @Tag("full")
    void oneScreenAnswersInFiveStates() throws Exception {
        AtomicBoolean isUp = new AtomicBoolean(true);
        HttpServer search = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        search.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(isUp.get() ? 204 : 503, -1);
            exchange.close();
        });
        search.start();
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  firewalls: {listen: "127.0.0.1:0"}
                  servers: {listen: "tcp://127.0.0.1:0"}
                  routers: {listen: "relp://127.0.0.1:0"}
                receive: {receiveBuffer: 1M}
                outputs:
                  archive: {type: file, path: %s, format: json}
                  search: {type: http, url: "http://127.0.0.1:%d/", timeout: 2s}
                  security: {type: file, path: %s, where: severity <= err}
                sources: {silentAfter: 1m}
                """.formatted(
                directory.resolve("archive.ndjson"), search.getAddress().getPort(), directory.resolve("security.log")));
        try (Service service = Service.startWith(directory.resolve("data"), "--config", config.toString());
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl())) {
            await().atMost(SOON).until(() -> browser.text("#state").equals("ready"));
            pictures(browser, "idle");
            try (Forked sender = load(service, "6k")) {
                await().atMost(SOON)
                        .until(() -> number(browser.text("#rate-received")) > 1_000
                                && number(browser.text("#rate-delivered")) > 1_000);
                pictures(browser, "busy");
                isUp.set(false);
                await().atMost(SOON).until(() -> browser.text("#state").equals("degraded"));
                pictures(browser, "degraded");
                service.process().signal("STOP");
                TimeUnit.SECONDS.sleep(4);
                service.process().signal("CONT");
                await().atMost(SOON).until(() -> browser.text("#state").equals("failing"));
                await().atMost(SOON).until(() -> number(browser.text("#lost-hour")) > 0);
                pictures(browser, "failing");
                assertThat(sender.isAlive()).isTrue();
            }
            isUp.set(true);
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> browser.text("#state").contains("silent"));
            pictures(browser, "silent");
            assertThat(browser.errors()).isEmpty();
            service.stop();
        } finally {
            search.stop(0);
        }
    }

    /** Light, dark and on a phone; the flow ends within the first screen. */
    private static void pictures(Browser browser, String state) throws Exception {
        picture(browser, state + "-phone", 390, false);
        assertThat(bottom(browser)).as("%s on a phone", state).isLessThanOrEqualTo(844);
        picture(browser, state + "-dark", 1280, true);
        picture(browser, state + "-light", 1280, false);
        assertThat(bottom(browser)).as("%s on a laptop", state).isLessThanOrEqualTo(800);
        if (Boolean.getBoolean("millrace.docs.write")) {
            for (String kind : List.of("light", "dark", "phone")) {
                keep(state + "-" + kind, kind.equals("phone") ? 844 : 900);
            }
        }
    }

    private static int bottom(Browser browser) throws Exception {
        return browser.evaluate("Math.ceil(document.querySelector('#flow').getBoundingClientRect().bottom + scrollY)")
                .asInt();
    }

    /** The first screen at half the size. */
    private static void keep(String name, int height) throws IOException {
        BufferedImage all = ImageIO.read(PICTURES.resolve(name + ".png").toFile());
        BufferedImage screen = all.getSubimage(0, 0, all.getWidth(), Math.min(height, all.getHeight()));
        BufferedImage half =
                new BufferedImage(screen.getWidth() / 2, screen.getHeight() / 2, BufferedImage.TYPE_INT_RGB);
        half.getGraphics()
                .drawImage(
                        screen.getScaledInstance(half.getWidth(), half.getHeight(), Image.SCALE_AREA_AVERAGING),
                        0,
                        0,
                        null);
        Path target = Path.of("../docs/pictures/page", name + ".jpg");
        Files.createDirectories(target.getParent());
        ImageIO.write(half, "jpg", target.toFile());
    }

    /** The picture of the README: five minutes of a busy service, with a burst and its recovery. */
    @Test
    @Tag("full")
    @EnabledIfSystemProperty(named = "millrace.docs.write", matches = "true")
    @Timeout(420)
    void pictureOfTheReadme() throws Exception {
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  firewalls: {listen: "127.0.0.1:0"}
                  servers: {listen: "tcp://127.0.0.1:0"}
                outputs:
                  archive: {type: file, path: %s, format: json}
                  errors: {type: file, path: %s, where: severity <= err}
                """.formatted(
                        directory.resolve("archive.ndjson"), directory.resolve("errors.log")));
        try (Service service = Service.startWith(directory.resolve("data"), "--config", config.toString());
                Browser browser = Browser.open(directory.resolve("profile"), service.adminUrl());
                Forked usual = load(service, "8k")) {
            TimeUnit.SECONDS.sleep(180);
            try (Forked burst = Forked.load("--to", service.target(), "--rate", "30k", "--duration", "6s")) {
                assertThat(burst.awaitExit(SOON)).isZero();
            }
            TimeUnit.SECONDS.sleep(110);
            assertThat(browser.text("#state")).isEqualTo("ready");
            picture(browser, "page", 1280, false);
            BufferedImage all = ImageIO.read(PICTURES.resolve("page.png").toFile());
            ImageIO.write(
                    all.getSubimage(0, 0, all.getWidth(), Math.min(README_HEIGHT, all.getHeight())),
                    "png",
                    Path.of("../docs/pictures/page.png").toFile());
            assertThat(usual.isAlive()).isTrue();
            service.stop();
        }
    }

    private static void type(Browser browser, String text) throws Exception {
        browser.evaluate("document.getElementById('find').value = '" + text + "'");
        browser.evaluate("document.getElementById('find').dispatchEvent(new Event('input'))");
    }

    private static Forked load(Service service, String rate) {
        return Forked.load("--to", service.target(), "--rate", rate, "--duration", "10m", "--sources", "8");
    }

    private static void send(Service service, String message) throws Exception {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), service.port()));
        }
    }

    private static long number(String text) {
        String digits = text.replaceAll("[^0-9]", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    private static void picture(Browser browser, String name, int width, boolean dark) throws Exception {
        browser.show(width, dark);
        var unused = browser.evaluate(USUAL_DATA_DIRECTORY);
        await().atMost(SOON).until(() -> browser.evaluate(CHART_IS_PAINTED).asBoolean());
        await().atMost(SOON).until(() -> !browser.text("#about").contains("junit"));
        browser.screenshot(PICTURES.resolve(name + ".png"));
    }
}
