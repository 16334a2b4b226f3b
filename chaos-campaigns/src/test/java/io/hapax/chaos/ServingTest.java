package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.chaos.ServedPage.Totals;
import io.hapax.console.trial.TrialAction;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void orders_take_effect_once_with_hapax_through_a_storm_a_kill_an_outage_and_a_replay()
      throws Exception {
    List<Long> processes = new ArrayList<>();
    Serving.run(
        ChaosCommandTest.settings("--serve --listen 127.0.0.1:0"),
        folder,
        step -> {},
        serving -> LiveDemo.run(serving, ANY_PORT, folder, demo -> {
          ServedPage page = new ServedPage(demo.address());
          assertThat(page.signIn("wrong")).isEqualTo("refused");
          assertThat(page.signIn(demo.token())).isEqualTo("/trial");
          disturb(serving, page);
          processes.addAll(page.pids());
          assertThat(processes).hasSize(3).allMatch(ServingTest::isAlive);
        }));
    assertThat(processes).noneMatch(ServingTest::isAlive);
  }

  private static void disturb(Serving serving, ServedPage page) throws Exception {
    assertThat(page.press(TrialAction.PLACE_100)).isEqualTo(303);
    awaited(() -> assertThat(page.totals("hapax")).isEqualTo(new Totals(100, 100, 0)));
    awaited(() -> assertThat(page.totals("naive")).isEqualTo(new Totals(100, 100, 0)));

    assertThat(page.press(TrialAction.STORM)).isEqualTo(303);
    awaited(() -> assertThat(page.totals("naive")).isEqualTo(new Totals(100, 200, 100)));
    awaited(() -> assertThat(page.figure("duplicates")).isGreaterThanOrEqualTo(100));
    assertThat(page.totals("hapax")).isEqualTo(new Totals(100, 100, 0));

    List<Long> before = page.pids();
    assertThat(page.press(TrialAction.KILL)).isEqualTo(303);
    assertThat(before).filteredOn(pid -> !isAlive(pid)).as("one of each kind").hasSize(2);
    assertThat(page.log()).contains("placed 20 orders and killed hapax-1 (process");
    awaited(() -> assertThat(page.totals("hapax")).isEqualTo(new Totals(120, 120, 0)));
    awaited(() -> assertThat(page.pids()).hasSize(3));

    assertThat(page.press(TrialAction.GATEWAY_TIMEOUT)).isEqualTo(303);
    awaited(() -> assertThat(page.totals("charged-naive")).isEqualTo(new Totals(5, 10, 5)));
    awaited(() -> assertThat(page.totals("charged-hapax")).isEqualTo(new Totals(5, 5, 0)));

    assertThat(page.press(TrialAction.STOP_STORE)).isEqualTo(303);
    awaited(() -> assertThat(page.trial()).contains("The effects are unknown"));
    awaited(() -> assertThat(page.totals("hapax")).isEqualTo(new Totals(120, 120, 0)));

    // A replay would take an order that still waits there into effect once, not twice.
    awaited(() -> assertThat(effects(serving, false)).hasSize(120));

    assertThat(page.press(TrialAction.REPLAY)).isEqualTo(303);
    awaited(() -> assertThat(page.totals("naive").twice()).isEqualTo(120));
    awaited(() -> assertThat(page.figure("duplicates")).isGreaterThanOrEqualTo(320));
    awaited(() -> assertThat(page.figure("lag")).isZero());

    awaited(() -> assertLedger(serving, page));
    assertThat(page.figure("executed")).isBetween(100L, 120L);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Compares the page with the ledger itself. */
  private static void assertLedger(Serving serving, ServedPage page) throws Exception {
    Map<String, Long> hapax = effects(serving, true);
    Map<String, Long> naive = effects(serving, false);

    assertThat(hapax)
        .hasSize(120)
        .allSatisfy((order, count) -> assertThat(count).isOne());
    assertThat(page.totals("hapax")).isEqualTo(new Totals(120, 120, 0));
    assertThat(naive).hasSize(120);
    assertThat(page.totals("naive"))
        .isEqualTo(new Totals(
            120,
            naive.values().stream().mapToLong(it -> it).sum(),
            naive.values().stream().filter(it -> it > 1).count()));
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
