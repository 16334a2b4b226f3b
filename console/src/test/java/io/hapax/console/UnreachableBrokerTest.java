package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.http.Response;
import io.hapax.console.kafka.OrderMessages;
import io.hapax.console.operations.Deployment;
import io.hapax.operations.Broker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages show while the broker does not answer. */
@Timeout(60)
class UnreachableBrokerTest extends ConsoleFixture {

  @Override
  Deployment deployment() {
    Broker broker = OrderMessages.silent(1, Marks.CONSUMER, Duration.ofSeconds(1));
    return super.deployment().with(broker, "orders", "billing", "orders.dead");
  }

  @Test
  void the_view_of_dead_letters_says_so() {
    Response letters = visitor.get("/deadletters");
    assertThat(letters.status()).isEqualTo(503);
    assertThat(Visitor.text(letters))
        .contains("The store or the broker did not answer", "the brokers");
  }

  @Test
  void the_mark_of_one_id_and_the_number_of_conflicts_are_shown_all_the_same() {
    Marks.dead(store, "broken", "no account");
    assertThat(Visitor.text(visitor.get("/id?id=broken")))
        .contains("no account", "The dead-letter topic cannot be read:", "but not all were read");
    Response conflicts = visitor.get("/conflicts");
    assertThat(conflicts.status()).isEqualTo(200);
    assertThat(Visitor.text(conflicts)).contains("The dead-letter topic cannot be read:");
  }

  @Test
  void callers_do_not_wait_for_the_same_failure_one_after_the_other() {
    visitor.get("/deadletters");
    long begin = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      assertThat(visitor.get("/deadletters").status()).isEqualTo(503);
    }
    assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
  }
}
