package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

/** Delays, and what is left to the client of a consumer that was not started. */
class RetrySenderTest {

  private static final Outcome DONE = new Outcome.Duplicate();
  private static final MessageQueue QUEUE = new MessageQueue("orders", "broker", 0);

  private final DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("nobody");
  private final ProcessQueue held = held();
  private final RetrySender retrySender = new RetrySender(consumer, DelayLevels.DEFAULT::atLeast);

  @SuppressWarnings("deprecation") // as in ClientInside
  private ProcessQueue held() {
    ProcessQueue queue = new ProcessQueue();
    consumer
        .getDefaultMQPushConsumerImpl()
        .getRebalanceImpl()
        .getProcessQueueTable()
        .put(QUEUE, queue);
    return queue;
  }

  private static Outcome waits(int seconds) {
    return new Outcome.Deferred(Outcome.Reason.BUSY, Duration.ofSeconds(seconds), "");
  }

  private List<MessageExt> handedOver(int number) {
    List<MessageExt> messages = IntStream.range(0, number)
        .mapToObj(offset -> {
          MessageExt message = new MessageExt();
          message.setQueueOffset(offset);
          message.setBody(new byte[0]);
          return message;
        })
        .toList();
    var unused = held.putMessage(messages);
    return messages;
  }

  private Optional<RetrySender.Rest> rest(Outcome... outcomes) {
    return retrySender.sendBack(handedOver(outcomes.length), List.of(outcomes), QUEUE);
  }

  @Test
  void nothing_is_left_of_what_is_settled() {
    assertThat(rest(DONE, DONE)).isEmpty();
  }

  @Test
  void an_end_that_waits_alike_is_left_to_the_client() {
    assertThat(rest(waits(1))).contains(new RetrySender.Rest(0, 1));
    assertThat(rest(waits(6), waits(9))).contains(new RetrySender.Rest(0, 3));
    assertThat(rest(DONE, waits(40), waits(60))).contains(new RetrySender.Rest(1, 5));
  }

  @Test
  void what_cannot_be_sent_back_is_left_to_the_client_with_all_behind_it() {
    assertThat(rest(DONE, waits(1), DONE)).contains(new RetrySender.Rest(1, 1));
    assertThat(rest(DONE, waits(40), waits(1), DONE)).contains(new RetrySender.Rest(1, 5));
    assertThat(rest(waits(40), waits(1))).contains(new RetrySender.Rest(0, 5));
  }

  /** The client's lock makes it say of the first message that it holds that it does not. */
  @Test
  void an_interrupted_thread_gives_up_the_queue_without_acknowledging() {
    List<MessageExt> messages = handedOver(2);
    Thread.currentThread().interrupt();

    assertThat(retrySender.sendBack(messages, List.of(DONE, waits(1)), QUEUE))
        .contains(new RetrySender.Rest(1, 1));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(held.isDropped()).isTrue();
  }

  @Test
  void a_wait_gets_the_shortest_delay_that_is_not_below_it() {
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ZERO)).isEqualTo(1);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofSeconds(1))).isEqualTo(1);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofMillis(1_001))).isEqualTo(2);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofSeconds(30))).isEqualTo(4);
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofMinutes(61))).isEqualTo(18);
  }

  @Test
  void a_wait_longer_than_all_delays_gets_the_longest() {
    assertThat(DelayLevels.DEFAULT.atLeast(Duration.ofDays(1))).isEqualTo(18);
    assertThat(DelayLevels.parse("1s 2h 5s").atLeast(Duration.ofDays(1))).isEqualTo(2);
  }

  @Test
  void levels_need_not_rise() {
    assertThat(DelayLevels.parse("1m 10s 30s").atLeast(Duration.ofSeconds(20))).isEqualTo(3);
  }

  @Test
  void all_levels_of_a_default_broker_take_nearly_five_hours() {
    assertThat(DelayLevels.DEFAULT.delays()).hasSize(18);
    assertThat(DelayLevels.DEFAULT.sum())
        .isEqualTo(Duration.ofSeconds(46).plusMinutes(105).plusHours(3));
  }

  @Test
  void what_is_no_delay_is_named() {
    assertThatThrownBy(() -> DelayLevels.parse("1s soon"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("messageDelayLevel is '1s soon'");
  }
}
