package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.chaos.ServedPage.Totals;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Shop;
import io.hapax.demo.live.LiveDemo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
    assertThat(page.trial()).contains("hapax-1 was killed with", "loop was killed with");
    awaitResult(page, "0 of 20 booked more than once", "bad", "of 20 booked more than once");
    assertThat(page.pids()).hasSize(3);

    assertThat(page.press(TrialAction.GATEWAY_TIMEOUT)).isEqualTo(303);
    awaitResult(page, "0 of 5 charged more than once", "bad", "5 of 5 charged more than once");

    assertThat(page.press(TrialAction.STOP_STORE)).isEqualTo(303);
    awaited(() -> assertThat(page.trial()).contains("s ago: the database does not answer"));
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
    Totals hapax = page.totals(TrialLane.HAPAX);
    Totals loop = page.totals(TrialLane.LOOP);

    assertThat(effects(serving, true))
        .hasSize((int) hapax.once())
        .allSatisfy((order, count) -> assertThat(count).isOne());
    assertThat(hapax).isEqualTo(new Totals(hapax.orders(), hapax.orders(), 0, 0));
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
}
