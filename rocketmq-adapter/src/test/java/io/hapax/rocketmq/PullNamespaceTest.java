package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the dead letters of a consumer that pulls and has a namespace go. */
@Timeout(180)
class PullNamespaceTest extends WithNamespaces {

  private DefaultLitePullConsumer pullConsumer() {
    DefaultLitePullConsumer consumer = clientIn(ONE, new DefaultLitePullConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    return consumer;
  }

  private RocketMqPullReceiver reject(
      DefaultLitePullConsumer consumer, RocketMqDeadLetterPublisher deadLetters) throws Exception {
    return open(RocketMqPullReceiver.builder(
            open(builder(deadLetters).leased(store, delivery -> {
              throw new RejectedMessageException("no such item");
            })),
            consumer)
        .subscribe(topic, ALL)
        .start());
  }

  @Test
  void dead_letters_go_to_topics_of_the_namespace_and_keep_their_ids() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "17");
    DefaultLitePullConsumer unnamed = pullConsumer();
    try (RocketMqPullReceiver first = reject(unnamed, RocketMqDeadLetterPublisher.of(unnamed))) {
      await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
      assertThat(first.problems()).isEmpty();
    }
    sendIn(ONE, "18");
    DefaultLitePullConsumer named = pullConsumer();
    reject(named, RocketMqDeadLetterPublisher.to("graves-" + number, named));
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 2);

    assertThat(read("%DLQ%one%" + group, 1))
        .extracting(dead -> dead.getProperty("hapax-id"))
        .containsExactly(topic + "/17");
    assertThat(read("one%graves-" + number, 1))
        .extracting(dead -> dead.getProperty("hapax-id"))
        .containsExactly(topic + "/18");
  }
}
