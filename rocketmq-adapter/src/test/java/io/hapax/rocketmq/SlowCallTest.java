package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call of 32 messages whose handlers are slow. */
@Timeout(120)
class SlowCallTest extends WithConsumers {

  /** Long enough for a first handler to start on a loaded machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void a_message_may_take_half_of_the_consume_timeout_to_start() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(3);

    assertThat(PushConsumerSettings.patience(consumer)).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void messages_not_started_in_time_are_deferred_while_a_handler_runs() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    startInOrder(consumer); // so that its brokers can be asked
    CountDownLatch othersDeferred = new CountDownLatch(31);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .workers(1)
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            othersDeferred.countDown();
          }
        })
        .leased(store, delivery -> {
          effects.add(body(delivery.message()));
          assertThat(othersDeferred.await(60, TimeUnit.SECONDS)).isTrue();
        }));
    ListenerDispatcher dispatcher =
        new ListenerDispatcher(consumer, receiver, false, Optional.empty(), PATIENCE);
    List<MessageExt> call =
        IntStream.range(0, 32).mapToObj(i -> delivered("m" + i)).toList();

    assertThat(dispatcher.take(call, queue())).isPresent();
    assertThat(effects).hasSize(1);
    assertThat(count(Outcome.Executed.class)).isOne();
    assertThat(deferred(Outcome.Reason.ABANDONED)).isEqualTo(31);
    assertThat(IntStream.range(0, 32).map(i -> attempts("m" + i)).sum()).isOne();
  }

  private int attempts(String key) {
    return store
        .find(List.of(MessageKey.of(group, topic + '/' + key)))
        .get(0)
        .map(mark -> mark.claim().attempt().number())
        .orElse(0);
  }
}
