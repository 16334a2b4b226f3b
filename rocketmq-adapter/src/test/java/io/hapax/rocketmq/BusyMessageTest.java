package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message that another handles for long, on a real broker. */
@Timeout(120)
@Order(5) // of the longest, so that it does not begin last
class BusyMessageTest extends WithConsumers {

  /** The broker's default limit of redeliveries: the next one goes to its dead letters. */
  private static final int OF_THE_BROKER = 16;

  @Test
  void a_message_may_be_busy_more_often_than_the_default_reconsume_limit() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1)); // the shortest delay of this broker
    send("a");
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    List<Integer> reconsumed = new CopyOnWriteArrayList<>();
    List<Integer> seenByListener = new CopyOnWriteArrayList<>();
    MessageHandler<MessageExt> listener =
        IdempotentConcurrentListener.handler((messages, context) -> {
          seenByListener.add(messages.get(0).getReconsumeTimes());
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
    receive(delivery -> {
      attempts.add(delivery.attempt());
      reconsumed.add(delivery.message().getReconsumeTimes());
      listener.handle(delivery);
    });

    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) > OF_THE_BROKER + 1);
    runClock(Duration.ZERO); // that lease has expired

    await().atMost(BOUND).until(() -> isDone("a"));
    assertThat(attempts).containsExactly(1);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    assertThat(reconsumed).allMatch(times -> times > OF_THE_BROKER);
    assertThat(seenByListener).as("a listener may give up after a few attempts").containsExactly(0);
    assertThat(deadLetters()).isZero();
  }

  private long deadLetters() throws Exception {
    MessageQueue queue = new MessageQueue("%DLQ%" + group, "local", 0);
    return operator().api().getMaxOffset(broker(), queue, 10_000);
  }
}
