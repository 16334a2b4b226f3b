package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.console.http.Response;
import io.hapax.console.operations.Deployment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages show while the store hangs, and how long they take. */
@Timeout(60)
class HungStoreTest extends ConsoleFixture {

  private static final Duration SOON = Duration.ofSeconds(2);

  private final HangingStore hanging = new HangingStore();

  @Override
  Deployment deployment() {
    return Deployment.of(Marks.CONSUMER, hanging.store());
  }

  @BeforeEach
  void hang() {
    assertThat(visitor.get("/").status()).isEqualTo(200);
    hanging.hang();
  }

  @AfterEach
  void answer() {
    hanging.answer();
  }

  private Duration time(String address, int status) {
    long begin = System.nanoTime();
    assertThat(visitor.get(address).status()).isEqualTo(status);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void a_page_waits_for_three_seconds_and_later_ones_fail_at_once() {
    Duration first = time("/doubt", 503);
    assertThat(first).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(10));

    for (int i = 0; i < 50; i++) {
      assertThat(time("/doubt", 503)).isLessThan(SOON);
    }
    assertThat(hanging.waiting()).as("hung calls").isLessThan(5);

    hanging.answer();
    await().untilAsserted(() -> assertThat(visitor.get("/doubt").status()).isEqualTo(200));
  }

  @Test
  void every_page_says_that_the_store_does_not_answer() {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(Visitor.text(visitor.get("/conflicts")))
            .contains("class=\"state old\"", "No data for ", "The store does not answer: "));
    Response metrics = visitor.with("authorization", "Bearer " + Visitor.TOKEN).get("/metrics");
    assertThat(Visitor.text(metrics))
        .contains(
            "hapax_store_reachable_ratio{consumer=\"billing\"} 0.0",
            "hapax_console_problems{consumer=\"billing\",kind=\"store\"} 1.0")
        .doesNotContain("hapax_marks");
  }
}
