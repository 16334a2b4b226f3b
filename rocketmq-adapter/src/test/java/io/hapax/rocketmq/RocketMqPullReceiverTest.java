package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.hapax.IdempotentReceiver;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.servers.LocalPostgres;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
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
      await().until(() -> count(Outcome.class) == 150);
      assertThat(receiver.problems()).isEmpty();
    }

    assertThat(effects).containsExactlyInAnyOrder(texts("m", 100));
    await().until(() -> stored(0) + stored(1) == 150);
  }

  /** The client sends all offsets that it knows, 10 s after its start and then every 5 s. */
  @Test
  void offsets_that_a_broker_forgot_are_sent_again() throws Exception {
    createTopic(2);
    sendTo(0, texts("m", 10));
    pull(this::record);
    await().until(() -> stored(0) == 10);
    sendTo(1, "n");
    await().until(() -> stored(1) == 1); // queue 0 has not moved since

    rewind(0); // as a broker that was killed before it wrote them down

    await().until(() -> stored(0) == 10);
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
      await().until(() -> isDone(text));
      assertThat(pushed.problems()).isEmpty();
    }
  }

  @Test
  void a_hung_handler_delays_its_own_queue_only() throws Exception {
    createTopic(2);
    sendTo(0, texts("a", 200));
    open(pulling(pullConsumer(group), delivery -> {
          if (body(delivery.message()).equals("a0")) {
            hold(delivery);
          } else {
            record(delivery);
          }
        })
        .subscribe(topic, ALL)
        .window(10)
        .start());
    awaitRunning();

    sendTo(1, "b0", "b1", "b2");

    await().until(() -> effects.containsAll(List.of("b0", "b1", "b2")));
    goOn.countDown();
    await().until(() -> effects.size() == 203);
  }

  @Test
  void a_busy_message_holds_its_queue_for_the_lease_and_is_not_committed() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1));
    sendTo(0, "a", "b");

    try (RocketMqPullReceiver receiver = pull(this::record)) {
      // A second apart, so that the client would have sent the broker any offset in between.
      await().until(() -> deferred(Outcome.Reason.BUSY) >= 3);
      await()
          .untilAsserted(() -> assertThat(receiver.problems())
              .singleElement()
              .extracting(Problem::text, STRING)
              .contains(topic, "@0: BUSY"));
      assertThat(stored(0)).isZero();
      assertThat(effects).isEmpty();

      runClock(Duration.ZERO);
      await().until(() -> effects.size() == 2);
    }

    assertThat(effects).containsExactly("a", "b");
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    await().until(() -> stored(0) == 2);
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
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .transactional(marks, TransactionalHandler.forEach((connection, delivery) -> {
          if (body(delivery.message()).equals("slow") && slow.get()) {
            try (Statement statement = connection.createStatement()) {
              statement.execute("SET LOCAL transaction_timeout = '300ms'; SELECT pg_sleep(60)");
            }
          }
        })));
    RocketMqPullReceiver pulling = open(
        RocketMqPullReceiver.builder(receiver, consumer).subscribe(topic, ALL).start());

    await().until(() -> count(Outcome.Executed.class) == 2);
    await()
        .untilAsserted(() -> assertThat(pulling.problems())
            .singleElement()
            .returns(Problem.Kind.PARTITION_WAITING, Problem::kind)
            .extracting(Problem::text, STRING)
            .contains("0@1")
            .contains("transaction_timeout"));
    slow.set(false);

    await().until(() -> stored(0) + stored(1) == 3);
    await().until(() -> pulling.problems().isEmpty());
  }

  @Test
  void a_topic_that_is_read_again_from_its_beginning_shows_no_effect() throws Exception {
    createTopic(2);
    send(texts("m", 30));
    try (RocketMqPullReceiver first = pull(this::record)) {
      // Before the close: the client sends offsets one way, and a broker may mix the last ones up.
      await().until(() -> stored(0) + stored(1) == 30);
      assertThat(effects).hasSize(30);
      assertThat(first.problems()).isEmpty();
    }

    open(pulling(pullConsumer(group + "-again"), this::record)
        .assign(topic)
        .from(Instant.EPOCH)
        .start());

    await().until(() -> count(Outcome.Duplicate.class) == 30);
    assertThat(effects).hasSize(30);
    assertThat(stored(0) + stored(1)).isEqualTo(30); // the group itself was not moved
  }

  @Test
  void a_topic_is_read_from_a_time_between_two_messages() throws Exception {
    createTopic(1);
    send("a", "b");
    Instant between = moment();
    send("c", "d");

    open(pulling(pullConsumer(group), this::record).assign(topic).from(between).start());

    await().until(() -> effects.contains("d"));
    assertThat(effects).containsExactly("c", "d"); // a queue keeps its order: nothing came before
  }

  @Test
  void a_close_that_may_take_for_ever_waits_for_the_handler_and_no_longer() throws Exception {
    createTopic(1);
    send("a");
    RocketMqPullReceiver receiver = open(pulling(pullConsumer(group), this::hold)
        .subscribe(topic, ALL)
        .drainTimeout(ChronoUnit.FOREVER.getDuration())
        .start());
    awaitRunning();
    Thread closing = new Thread(receiver::close);
    closing.start();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();

    closing.join(BOUND.toMillis());

    assertThat(closing.isAlive()).isFalse();
    assertThat(effects).containsExactly("a");
    await().until(() -> stored(0) == 1);
  }

  @Test
  void a_reader_that_dies_says_so_although_the_client_takes_long_to_end() throws Exception {
    createTopic(1);
    send("a");
    CountDownLatch blocked = new CountDownLatch(1);
    AtomicBoolean blocks = new AtomicBoolean();
    DefaultLitePullConsumer consumer = pullConsumer(group);
    consumer.setAllocateMessageQueueStrategy(new AllocateMessageQueueAveragely() {
      @Override
      public List<MessageQueue> allocate(
          String consumerGroup, String id, List<MessageQueue> queues, List<String> ids) {
        if (blocks.get()) {
          blocked.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
        return super.allocate(consumerGroup, id, queues, ids);
      }
    });
    IdempotentReceiver<MessageExt> one = open(builder(consumer).leased(store, this::record));
    RocketMqPullReceiver receiver =
        open(RocketMqPullReceiver.builder(one, consumer).subscribe(topic, ALL).start());
    await().until(() -> isDone("a"));
    blocks.set(true);
    blocked.await(); // the client allocates anew every 20 s
    one.close();

    send("b");

    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> receiver.problems().toString().contains("reading has ended"));
    } finally {
      goOn.countDown();
    }
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

    assertThatThrownBy(() -> pulling(pullConsumer(group), this::record).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("either subscribe(..) or assign(..)");
  }

  private void refused(DefaultLitePullConsumer consumer, String message) {
    assertThatThrownBy(
            () -> pulling(consumer, this::record).subscribe(topic, ALL).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
