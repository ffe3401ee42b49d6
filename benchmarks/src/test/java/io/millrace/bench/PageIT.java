package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, with real load. Its pictures are in {@code target/screenshots}, to be looked at. */
@Tag("calm")
@Tag("once")
@Timeout(240)
class PageIT {
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Down to the drop points, in pixels. */
    private static final int README_HEIGHT = 1070;

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
            !Chart.getChart('chart') || Chart.getChart('chart').options.color
              === getComputedStyle(document.documentElement).getPropertyValue('--ink').trim()
            """;

    /** From the next update on, as pictures of the documentation show it. */
    private static final String USUAL_DATA_DIRECTORY = """
            Object.defineProperty(document.querySelector('#about'), 'textContent', {
              configurable: true,
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
            picture(browser, "idle");

            try (Forked sender = load(service, "20k")) {
                await().atMost(SOON)
                        .until(() -> number(browser.text("#rate-received")) > 5_000
                                && number(browser.text("#rate-delivered")) > 5_000);
                assertThat(browser.text("#path")).contains("our socket buffers", "journal", "output archive");
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
                picture(browser, "load");
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
            assertThat(browser.text("title")).isEqualTo("Millrace");
            picture(browser, "messages");

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
            await().atMost(SOON).until(() -> browser.text("#tail-note").contains("from takes a time"));
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
                await().atMost(SOON).until(() -> browser.text("#path li.bad").startsWith("our socket buffers"));
                assertThat(number(browser.text("#lost-hour"))).isPositive();
                // The history may have its sample of this second between the two parts of an answer.
                await().atMost(SOON).until(() -> browser.text("#state").equals("failing"));
                assertThat(browser.text("#problems li")).contains("lost in the last minute", "millrace doctor");
                assertThat(browser.evaluate("document.querySelector('link[rel=icon]').href")
                                .asText())
                        .startsWith("data:image/svg+xml");
                // The chart asks less often than the rest: the numbers of a picture agree.
                await().atMost(SOON)
                        .until(() -> browser.text("#chart-text").endsWith("lost " + browser.text("#lost-hour") + "."));
                picture(browser, "losing");
                browser.evaluate("document.querySelector('#path li.bad button').click()");
                assertThat(browser.text("#path .remedy")).contains("millrace doctor");
                if (Boolean.getBoolean("millrace.docs.write")) {
                    copyToDocs("losing", "page");
                    copyToDocs("losing-dark", "page-dark");
                }
                assertThat(sender.isAlive()).isTrue();
            }
            service.stop();
        }
    }

    /** The upper part, as a picture of the README. */
    private static void copyToDocs(String name, String target) throws IOException {
        BufferedImage all = ImageIO.read(PICTURES.resolve(name + ".png").toFile());
        ImageIO.write(
                all.getSubimage(0, 0, all.getWidth(), Math.min(README_HEIGHT, all.getHeight())),
                "png",
                Path.of("../docs/pictures", target + ".png").toFile());
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

    private static void picture(Browser browser, String name) throws Exception {
        picture(browser, name + "-phone", 390, false);
        picture(browser, name + "-dark", 1280, true);
        picture(browser, name, 1280, false);
    }

    private static void picture(Browser browser, String name, int width, boolean dark) throws Exception {
        browser.show(width, dark);
        var unused = browser.evaluate(USUAL_DATA_DIRECTORY);
        await().atMost(SOON).until(() -> browser.evaluate(CHART_IS_PAINTED).asBoolean());
        await().atMost(SOON).until(() -> !browser.text("#about").contains("junit"));
        browser.screenshot(PICTURES.resolve(name + ".png"));
    }
}
