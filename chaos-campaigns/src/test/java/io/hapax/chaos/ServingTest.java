package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Shop;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Disturbs the live demo through its page, on real servers and processes. */
@Tag("nightly")
class ServingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir
  private Path folder;

  private static void awaited(ThrowingRunnable assertion) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
  }

  @ParameterizedTest
  @EnumSource
  void orders_take_effect_once_with_hapax_through_a_storm_a_kill_an_outage_and_a_replay(
      BrokerKind broker) throws Exception {
    List<Long> processes = new ArrayList<>();
    Serving.run(
        ChaosCommandTest.settings("--serve --listen 127.0.0.1:0 --broker " + broker),
        folder,
        step -> {},
        serving -> LiveDemo.run(serving, ANY_PORT, folder, demo -> {
          ServedPage page = new ServedPage(demo.address());
          assertThat(page.signIn(demo.address().resolve("/signin?token=wrong")))
              .isEqualTo("refused");
          assertThat(page.signIn(demo.signIn())).isEqualTo("/trial");
          disturb(serving, page);
          processes.addAll(page.pids());
          assertThat(processes).hasSize(3).allMatch(ServingTest::isAlive);
        }));
    assertThat(processes).noneMatch(ServingTest::isAlive);
  }

  private static void disturb(Serving serving, ServedPage page) throws Exception {
    awaited(() -> assertThat(page.totals(TrialLane.HAPAX).once()).isGreaterThanOrEqualTo(20));

    assertThat(page.press(TrialAction.STORM)).isEqualTo(303);
    awaitResult(page, "0 of 20 booked more than once", "bad", "20 of 20 booked more than once");
    awaited(() -> assertThat(page.figure("duplicates")).isGreaterThanOrEqualTo(40));

    List<Long> before = page.pids();
    assertThat(page.press(TrialAction.KILL)).isEqualTo(303);
    assertThat(before).filteredOn(pid -> !isAlive(pid)).as("one of each lane").hasSize(2);
    assertThat(page.log()).contains("placed 20 orders and killed hapax-1 (process");
    assertThat(page.trial()).contains("hapax-1 was killed with", "plain-1 was killed with");
    awaitResult(page, "0 of 20 booked more than once", "bad", "of 20 booked more than once");
    assertThat(page.pids()).hasSize(3);

    assertThat(page.press(TrialAction.GATEWAY_TIMEOUT)).isEqualTo(303);
    awaitResult(page, "0 of 5 charged more than once", "bad", "5 of 5 charged more than once");

    assertThat(page.press(TrialAction.STOP_STORE)).isEqualTo(303);
    awaited(() ->
        assertThat(page.trial()).contains("s ago: the database or the broker does not answer"));
    awaitResult(page, "0 of 20 booked more than once", "", "of 20 booked more than once");

    assertThat(page.press(TrialAction.REPLAY)).isEqualTo(303);
    awaitResult(page, ">0 of ", "bad", "booked more than once");
    awaited(() -> assertThat(page.totals(TrialLane.LOOP).once()).isLessThan(20));

    awaited(() -> assertLedger(serving, page));
  }

  /** Waits until both lanes have these results of the newest action, Hapax a good one. */
  private static void awaitResult(ServedPage page, String hapax, String level, String loop) {
    awaited(() -> {
      List<ServedPage.Part> story = page.newestStory();
      assertThat(story).hasSize(2);
      assertThat(story.get(0).level()).isEqualTo("good");
      assertThat(story.get(0).steps()).contains(hapax);
      assertThat(story.get(1).level()).contains(level).doesNotContain("pending");
      assertThat(story.get(1).steps()).contains(loop);
    });
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Compares the page with the ledger itself. */
  private static void assertLedger(Serving serving, ServedPage page) throws Exception {
    ServedPage.Totals hapax = page.totals(TrialLane.HAPAX);
    ServedPage.Totals loop = page.totals(TrialLane.LOOP);

    assertThat(effects(serving, true))
        .hasSize((int) hapax.once())
        .allSatisfy((order, count) -> assertThat(count).isOne());
    assertThat(hapax).isEqualTo(new ServedPage.Totals(hapax.orders(), hapax.orders(), 0, 0));
    Map<String, Long> ofLoop = effects(serving, false);
    assertThat(ofLoop).hasSize((int) loop.orders());
    assertThat(ofLoop.values()).filteredOn(it -> it > 1).hasSize((int) loop.more());
  }

  private static Map<String, Long> effects(Serving serving, boolean token) throws SQLException {
    try (Connection connection = serving.stores().connect()) {
      return Shop.ledger(connection).stream()
          .filter(row -> row.token() > 0 == token)
          .map(LedgerRow::orderId)
          .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
  }

  /** The page of the live demo, as a browser without scripts uses it. */
  static final class ServedPage {

    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
    private static final Pattern TOTALS = Pattern.compile(
        "([\\d,]+) orders: ([\\d,]+) booked once, ([\\d,]+) more than once, ([\\d,]+) waiting");
    private static final Pattern PID = Pattern.compile("class=\"pid quiet\">(\\d+)</span>");
    private static final Pattern PART =
        Pattern.compile("<p class=\"part ([^\"]+)\"><b>[^<]+</b>(.*?)</p>", Pattern.DOTALL);

    private final HttpClient http =
        HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final URI address;

    /** The totals of a lane, as the page shows them. */
    record Totals(long orders, long once, long more, long waiting) {}

    /** What came of the newest action in a lane: the classes of its result, and its steps. */
    record Part(String level, String steps) {}

    ServedPage(URI address) {
      this.address = address;
    }

    /** Opens the address that signs in, and returns where it leads to. */
    String signIn(URI signIn) throws IOException, InterruptedException {
      HttpResponse<String> entered =
          http.send(HttpRequest.newBuilder(signIn).build(), HttpResponse.BodyHandlers.ofString());
      return entered.headers().firstValue("Location").orElse("refused");
    }

    private HttpResponse<String> post(String path, String form)
        throws IOException, InterruptedException {
      return http.send(
          HttpRequest.newBuilder(address.resolve(path))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .header("Origin", address.toString())
              .POST(HttpRequest.BodyPublishers.ofString(form))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }

    private String get(String path) throws IOException, InterruptedException {
      HttpResponse<String> page = http.send(
          HttpRequest.newBuilder(address.resolve(path)).build(),
          HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).as(path).isEqualTo(200);
      return page.body();
    }

    String trial() throws IOException, InterruptedException {
      return get("/trial");
    }

    /** Presses a button, and returns the status of the answer. */
    int press(TrialAction action) throws IOException, InterruptedException {
      Matcher csrf = CSRF.matcher(trial());
      assertThat(csrf.find()).isTrue();
      String token = URLEncoder.encode(csrf.group(1), StandardCharsets.UTF_8);
      return post("/trial", "csrf=" + token + "&action=" + action).statusCode();
    }

    Totals totals(TrialLane lane) throws IOException, InterruptedException {
      String page = trial();
      int begin = page.indexOf("id=\"lane-" + lane);
      assertThat(begin).as(page).isPositive();
      Matcher found = TOTALS.matcher(page);
      assertThat(found.find(begin)).as(page).isTrue();
      return new Totals(
          number(found.group(1)),
          number(found.group(2)),
          number(found.group(3)),
          number(found.group(4)));
    }

    /** Returns what came of the newest action, first with Hapax, then of the plain loop. */
    List<Part> newestStory() throws IOException, InterruptedException {
      return PART.matcher(trial())
          .results()
          .limit(2)
          .map((MatchResult it) -> new Part(it.group(1), it.group(2)))
          .toList();
    }

    private static long number(String text) {
      return Long.parseLong(text.replace(",", ""));
    }

    /** Returns the ids of the consumer processes. */
    List<Long> pids() throws IOException, InterruptedException {
      return PID.matcher(trial())
          .results()
          .map((MatchResult it) -> Long.parseLong(it.group(1)))
          .toList();
    }

    /** Returns the newest value of a figure of the view Now. */
    long figure(String name) throws IOException, InterruptedException {
      get("/now"); // reads the figures
      Matcher values =
          Pattern.compile('"' + name + "\":\\[([^]]+)]").matcher(get("/now/series.json"));
      assertThat(values.find()).as(name).isTrue();
      String newest = values.group(1).substring(values.group(1).lastIndexOf(',') + 1);
      return newest.equals("null") ? -1 : (long) Double.parseDouble(newest);
    }

    /** Returns the action log, as the console shows it. */
    String log() throws IOException, InterruptedException {
      return get("/consumers");
    }
  }
}
