package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** What is left to the client, of a consumer that reaches no broker because it was not started. */
class ReturnsTest {

  private static final Outcome DONE = new Outcome.Duplicate();

  private final Returns returns =
      new Returns(new DefaultMQPushConsumer("nobody"), DelayLevels.DEFAULT::atLeast);

  private static Outcome waits(int seconds) {
    return new Outcome.Deferred(Outcome.Reason.BUSY, Duration.ofSeconds(seconds), "");
  }

  private Optional<Returns.Rest> rest(Outcome... outcomes) {
    List<MessageExt> messages = Stream.of(outcomes).map(it -> new MessageExt()).toList();
    return returns.sendBack(messages, List.of(outcomes), "broker");
  }

  @Test
  void nothing_is_left_of_what_is_settled() {
    assertThat(rest(DONE, DONE)).isEmpty();
  }

  @Test
  void an_end_that_waits_alike_is_left_to_the_client() {
    assertThat(rest(waits(1))).contains(new Returns.Rest(0, 1));
    assertThat(rest(waits(6), waits(9))).contains(new Returns.Rest(0, 3));
    assertThat(rest(DONE, waits(40), waits(60))).contains(new Returns.Rest(1, 5));
  }

  @Test
  void what_the_broker_does_not_take_is_left_to_the_client_with_all_behind_it() {
    assertThat(rest(DONE, waits(1), DONE)).contains(new Returns.Rest(1, 1));
    assertThat(rest(DONE, waits(40), waits(1), DONE)).contains(new Returns.Rest(1, 5));
    assertThat(rest(waits(40), waits(1))).contains(new Returns.Rest(0, 5));
  }
}
