package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.servers.LocalPostgres;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer that pulls, on a real broker. */
@Timeout(180)
@Order(2) // of the longest, so that it does not begin last
class RocketMqPullReceiverTest extends WithConsumers {

  @Test
  void a_message_sent_twice_takes_effect_once_and_is_committed() throws Exception {
    createTopic(2);
    send(texts("m", 100));
    send(texts("m", 50));

    try (RocketMqPullReceiver receiver = pull(this::record)) {
      await().atMost(BOUND).until(() -> count(Outcome.class) == 150);
      assertThat(receiver.problems()).isEmpty();
    }

    assertThat(effects).containsExactlyInAnyOrder(texts("m", 100));
    await().atMost(BOUND).until(() -> committed(0) + committed(1) == 150);
  }

  /** The client sends all offsets that it knows, 10 s after its start and then every 5 s. */
  @Test
  void offsets_that_a_broker_forgot_are_sent_again() throws Exception {
    createTopic(2);
    sendTo(0, texts("m", 10));
    DefaultLitePullConsumer consumer = pullConsumer(group);
    IdempotentReceiver<MessageExt> receiver =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, this::record));
    open(RocketMqPullReceiver.builder(receiver, consumer).subscribe(topic, ALL).start());
    await().atMost(BOUND).until(() -> stored(0) == 10);
    sendTo(1, "n");
    await().atMost(BOUND).until(() -> stored(1) == 1); // queue 0 has not moved since

    rewind(0); // as a broker that was killed before it wrote them down

    await().atMost(BOUND).until(() -> stored(0) == 10);
    assertThat(effects).hasSize(11);
  }

  @Test
  void messages_in_the_retry_topic_of_a_push_group_are_named() throws Exception {
    createTopic(1);
    handledByPush("a");
    Message sentBack = new Message("%RETRY%" + group, "", "b", new byte[] {'b'});
    send(sentBack);
    send(sentBack);

    try (RocketMqPullReceiver receiver = pull(this::record)) {
      assertThat(receiver.problems())
          .singleElement()
          .extracting(Problem::text, STRING)
          .startsWith("2 messages wait in %RETRY%" + group + " on broker " + broker())
          .contains("A pull consumer does not read them");
    }
  }

  private void handledByPush(String text) throws Exception {
    sendTo(0, text);
    try (RocketMqReceiver pushed = receive(this::record)) {
      await().atMost(BOUND).until(() -> isDone(text));
      assertThat(pushed.problems()).isEmpty();
    }
  }

  @Test
  void a_hung_handler_delays_its_own_queue_only() throws Exception {
    createTopic(2);
    sendTo(0, texts("a", 200));
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    DefaultLitePullConsumer consumer = pullConsumer(group);
    IdempotentReceiver<MessageExt> receiver =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, delivery -> {
          if (body(delivery.message()).equals("a0")) {
            hangs.countDown();
            goOn.await();
          }
          record(delivery);
        }));
    open(RocketMqPullReceiver.builder(receiver, consumer)
        .subscribe(topic, ALL)
        .window(10)
        .start());
    hangs.await();

    sendTo(1, "b0", "b1", "b2");

    await().atMost(BOUND).until(() -> effects.containsAll(List.of("b0", "b1", "b2")));
    goOn.countDown();
    await().atMost(BOUND).until(() -> effects.size() == 203);
  }

  @Test
  void a_busy_message_holds_its_queue_for_the_lease_and_is_not_committed() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1));
    sendTo(0, "a", "b");

    try (RocketMqPullReceiver receiver = pull(this::record)) {
      // A second apart, so that the client would have sent the broker any offset in between.
      await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 3);
      await()
          .atMost(BOUND)
          .untilAsserted(() -> assertThat(receiver.problems())
              .singleElement()
              .extracting(Problem::text, STRING)
              .contains(topic, "@0: BUSY"));
      assertThat(stored(0)).isZero();
      assertThat(effects).isEmpty();

      runClock(Duration.ZERO);
      await().atMost(BOUND).until(() -> effects.size() == 2);
    }

    assertThat(effects).containsExactly("a", "b");
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    await().atMost(BOUND).until(() -> stored(0) == 2);
  }

  @Test
  void a_queue_that_moves_during_a_handler_repeats_and_loses_nothing() throws Exception {
    createTopic(2);
    stopClock();
    sendTo(0, texts("a", 20));
    sendTo(1, texts("b", 20));
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    pull(delivery -> {
      running.countDown();
      goOn.await();
      record(delivery);
    });
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    pull(OtherProcess.of(store), this::record);
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1); // it has one of them
    goOn.countDown();

    await().atMost(BOUND).until(() -> effects.size() >= 40 && count(Outcome.Duplicate.class) >= 1);
    sendTo(0, "last0");
    sendTo(1, "last1");
    await().atMost(BOUND).until(() -> effects.contains("last0") && effects.contains("last1"));
    assertThat(effects).doesNotHaveDuplicates().hasSize(42);
  }

  @Test
  void a_transaction_that_is_too_slow_stops_its_queue_only_and_names_message_and_limit()
      throws Exception {
    createTopic(2);
    sendTo(0, "first", "slow");
    sendTo(1, "other");
    JdbcDedupStore marks = open(marks(open(LocalPostgres.start()))).store();
    DefaultLitePullConsumer consumer = pullConsumer(group);
    AtomicBoolean slow = new AtomicBoolean(true);
    IdempotentReceiver<MessageExt> receiver = open(builder(RocketMqDeadLetterPublisher.of(consumer))
        .transactional(marks, TransactionalHandler.forEach((connection, delivery) -> {
          if (body(delivery.message()).equals("slow") && slow.get()) {
            try (Statement statement = connection.createStatement()) {
              statement.execute("SET LOCAL transaction_timeout = '300ms'; SELECT pg_sleep(60)");
            }
          }
        })));
    RocketMqPullReceiver pulling = open(
        RocketMqPullReceiver.builder(receiver, consumer).subscribe(topic, ALL).start());

    await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 2);
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(pulling.problems())
            .singleElement()
            .returns(Problem.Kind.PARTITION_WAITING, Problem::kind)
            .extracting(Problem::text, STRING)
            .contains("0@1")
            .contains("transaction_timeout"));
    slow.set(false);

    await().atMost(BOUND).until(() -> committed(0) + committed(1) == 3);
    await().atMost(BOUND).until(() -> pulling.problems().isEmpty());
  }

  @Test
  void a_topic_that_is_read_again_from_its_beginning_shows_no_effect() throws Exception {
    createTopic(2);
    send(texts("m", 30));
    try (RocketMqPullReceiver first = pull(this::record)) {
      await().atMost(BOUND).until(() -> effects.size() == 30);
      assertThat(first.problems()).isEmpty();
    }

    DefaultLitePullConsumer consumer = pullConsumer(group + "-again");
    IdempotentReceiver<MessageExt> receiver =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(store, this::record));
    open(RocketMqPullReceiver.builder(receiver, consumer)
        .assign(topic)
        .from(Instant.EPOCH)
        .start());

    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 30);
    assertThat(effects).hasSize(30);
    assertThat(committed(0) + committed(1)).isEqualTo(30); // the group itself was not moved
  }

  @Test
  void settings_that_would_lose_messages_are_refused() {
    DefaultLitePullConsumer automatic = client(new DefaultLitePullConsumer(group));
    refused(automatic, "autoCommit is true");
    DefaultLitePullConsumer broadcasting = pullConsumer(group);
    broadcasting.setMessageModel(MessageModel.BROADCASTING);
    refused(broadcasting, "messageModel is BROADCASTING but must be CLUSTERING");
    DefaultLitePullConsumer last = pullConsumer(group);
    last.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET);
    refused(last, "consumeFromWhere is CONSUME_FROM_LAST_OFFSET");
    IdempotentReceiver<MessageExt> receiver =
        open(builder(letter -> {}).leased(store, this::record));

    assertThatThrownBy(
            () -> RocketMqPullReceiver.builder(receiver, pullConsumer(group)).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("either subscribe(..) or assign(..)");
  }

  private void refused(DefaultLitePullConsumer consumer, String message) {
    IdempotentReceiver<MessageExt> receiver =
        open(builder(letter -> {}).leased(store, this::record));
    assertThatThrownBy(() -> RocketMqPullReceiver.builder(receiver, consumer)
            .subscribe(topic, ALL)
            .start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
