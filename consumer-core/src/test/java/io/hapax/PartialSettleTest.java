package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One shard of the store is away while verdicts are to be settled. */
class PartialSettleTest extends FaultFixture {

  @Test
  @DisplayName("one unreachable shard affects its own messages only")
  void a_verdict_of_a_healthy_shard_is_settled_while_another_shard_is_away() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    CountDownLatch refused = new CountDownLatch(1);
    Fault shard = (verb, items, call) -> {
      if (!verb.equals("settle") || !away.get()) {
        return call.go();
      }
      List<SettleAnswer> answers = new ArrayList<>();
      for (Object item : items) {
        boolean lost = ((Settlement) item).claim().key().equals(key("b"));
        answers.add(
            lost
                ? new SettleAnswer.Unavailable("shard 2")
                : marks.settle(List.of((Settlement) item)).get(0));
        if (lost) {
          refused.countDown();
        }
      }
      return answers;
    };
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(shard), delivery -> effects.add(delivery.message())));
    Submission stuck = receiver.submit(lane("p1", "b"), (index, outcome) -> {});
    refused.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    Submission healthy = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    boolean settled = healthy.await(PATIENCE);
    away.set(false);
    stuck.await(PATIENCE);

    assertThat(effects).contains("a");
    assertThat(settled).as("the healthy shard's message has its outcome").isTrue();
  }
}
