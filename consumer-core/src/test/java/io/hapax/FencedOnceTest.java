package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An owner that was replaced while its handler runs. */
class FencedOnceTest extends FaultFixture {

  @Test
  @DisplayName("invariant 9: one lost claim is one counted event")
  void a_fenced_owner_is_counted_once_however_long_its_handler_runs() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch fencedFourTimes = new CountDownLatch(4);
    IdempotentReceiver<String> receiver = open(builder()
        .lease(STEADY)
        .listener(new ReceiverListener() {
          @Override
          public void onFenced(MessageKey key, long token) {
            fencedFourTimes.countDown();
          }
        })
        .leased(marks, delivery -> {
          running.countDown();
          go.await();
        }));
    Submission submission = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    clock.advance(Duration.ofHours(1));
    claimedElsewhere("a", true, Duration.ofHours(1));

    boolean again = fencedFourTimes.await(2, TimeUnit.SECONDS);
    go.countDown();
    submission.await(PATIENCE);

    assertThat(again).as("the same loss was counted again and again").isFalse();
  }
}
