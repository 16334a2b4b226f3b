package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import io.hapax.OutcomeProbe;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.policy.MissingIdPolicy;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Start, end, rebalance, replay and local transactions, on a real broker. */
@Timeout(120)
class RocketMqReceiverTest extends WithConsumers {

  @TempDir
  private Path directory;

  @Test
  void after_a_replay_from_the_beginning_no_effect_is_repeated() throws Exception {
    createTopic(1);
    send(texts("m", 20));
    try (RocketMqReceiver first = receive(this::record)) {
      await().until(() -> effects.size() == 20);
      assertThat(first.problems()).isEmpty();
    }
    rewind(0);

    receive(this::record);

    await().until(() -> count(Outcome.Duplicate.class) == 20);
    assertThat(effects).containsExactlyInAnyOrder(texts("m", 20));
  }

  @Test
  void two_receivers_share_a_topic_and_effects_happen_once() throws Exception {
    createTopic(4);
    send(texts("first", 100));
    RocketMqReceiver first = receive(this::record);
    await().until(() -> effects.size() >= 50);
    receive(this::record);
    send(texts("second", 100));
    await().until(() -> effects.size() >= 150);
    first.close();
    send(texts("third", 50));

    await().until(() -> effects.size() >= 250);
    assertThat(effects).doesNotHaveDuplicates().hasSize(250);
  }

  @Test
  void close_waits_for_handlers_and_leaves_one_copy_of_the_rest() throws Exception {
    createTopic(1);
    send(texts("m", 6));
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> one =
        open(builder(consumer).workers(1).leased(store, this::hold));
    RocketMqReceiver receiver = RocketMqReceiver.builder(one, consumer)
        .drainTimeout(ChronoUnit.FOREVER.getDuration())
        .start();
    awaitRunning();
    var thread = Executors.newSingleThreadExecutor();
    Future<?> closing = thread.submit(receiver::close);
    await().until(() -> deferred(Outcome.Reason.ABANDONED) == 5);

    goOn.countDown();
    closing.get(60, TimeUnit.SECONDS);
    thread.shutdown();
    assertThat(effects).hasSize(1);

    List<Integer> reconsumed = new CopyOnWriteArrayList<>();
    receive(delivery -> {
      reconsumed.add(delivery.message().getReconsumeTimes());
      record(delivery);
    });
    await().until(() -> effects.size() == 6);
    assertThat(effects).containsExactlyInAnyOrder(texts("m", 6));
    assertThat(reconsumed).containsOnly(0); // a copy that was sent back would have 1
  }

  @Test
  void ids_by_coordinates_are_refused_where_a_redelivery_has_others() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> receiver =
        open(builder(consumer).missingId(MissingIdPolicy.COORDINATES).leased(store, this::record));

    assertThatThrownBy(() -> RocketMqReceiver.start(receiver, consumer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missingId is COORDINATES but must be another policy");
  }

  @Test
  void a_call_that_is_given_up_before_its_probe_can_end_is_refused() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(1);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .onUnknownOutcome(UnknownOutcomePolicy.probe(delivery -> OutcomeProbe.Answer.NOT_APPLIED))
        .leased(store, this::record));

    assertThatThrownBy(() -> RocketMqReceiver.start(receiver, consumer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("consumeTimeout is 1 minutes but half of it must be longer than");
  }

  @Test
  void modes_that_lose_messages_or_share_marks_are_refused() throws Exception {
    DefaultMQPushConsumer broadcasting = consumer();
    broadcasting.setMessageModel(MessageModel.BROADCASTING);
    refused(broadcasting, "messageModel is BROADCASTING but must be CLUSTERING");
    DefaultMQPushConsumer pop = consumer();
    pop.setClientRebalance(false);
    refused(pop, "clientRebalance is false but must be true");
  }

  @Test
  void a_low_max_reconsume_times_is_refused_and_an_unset_one_raised() throws Exception {
    DefaultMQPushConsumer low = consumer();
    low.setMaxReconsumeTimes(16);
    refused(low, "maxReconsumeTimes is 16 but must be unset or at least 1000");

    DefaultMQPushConsumer open = consumer();
    var unused = open(IdempotentConcurrentListener.wrap(open, store, (messages, context) -> null));

    assertThat(open.getMaxReconsumeTimes()).isEqualTo(Integer.MAX_VALUE);
    assertThat(open.getAwaitTerminationMillisWhenShutdown()).isPositive();
  }

  @Test
  void a_group_whose_broker_forgets_what_is_sent_back_is_refused_at_start() throws Exception {
    forgetWhatIsSentBack();
    send("a");

    assertThatThrownBy(() -> receive(this::record))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retryQueueNums of group " + group + " is 0")
        .hasMessageContaining("must be at least 1");
    assertThat(effects).isEmpty();
  }

  @Test
  void a_wrapped_listener_of_such_a_group_answers_nothing_and_says_why() throws Exception {
    forgetWhatIsSentBack();
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> null));
    start(consumer, listener);
    send("a");

    await().until(() -> !listener.problems().isEmpty());
    assertThat(listener.problems().toString()).contains("retryQueueNums");
  }

  @Test
  void a_container_can_ask_for_the_checks_of_a_start() throws Exception {
    forgetWhatIsSentBack();
    DefaultMQPushConsumer consumer = consumer();
    RocketMqAttachment attachment = RocketMqReceiver.builder(
            open(builder(consumer).leased(store, this::record)), consumer)
        .attach();
    start(consumer);
    send("a");

    assertThatThrownBy(attachment::requireSafeGroup)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retryQueueNums of group " + group + " is 0");
    attachment.drain();
    assertThat(effects).isEmpty();
  }

  /** From then on the broker forgets what the group sends back. */
  private void forgetWhatIsSentBack() throws Exception {
    createTopic(1);
    SubscriptionGroupConfig config = new SubscriptionGroupConfig();
    config.setGroupName(group);
    config.setRetryQueueNums(0);
    try (RocketMqReceiver member = receive(this::record)) {
      operator().api().createSubscriptionGroup(broker(), config, 10_000);
      assertThat(member.problems()).isEmpty();
    }
  }

  private void refused(DefaultMQPushConsumer consumer, String message) {
    assertThatThrownBy(() -> receive(consumer, this::record))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void effects_happen_once_after_failed_batch_duplicates_and_replay() throws Exception {
    createTopic(1);
    send("a", "b", "c", "b", "d");
    AtomicInteger failures = new AtomicInteger();
    Shop shop = open(new Shop(directory));
    try (RocketMqReceiver first = receiveInTransactions(shop, failures)) {
      await().until(() -> shop.written().size() == 4);
      assertThat(first.problems()).isEmpty();
    }
    rewind(0);

    receiveInTransactions(shop, failures);

    send("e");
    await().until(() -> shop.written().contains("e"));
    await().until(() -> count(Outcome.Duplicate.class) >= 5);
    assertThat(shop.written()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    assertThat(failures.get()).isGreaterThanOrEqualTo(2);
  }

  /** Writes before it fails, so that only a rollback takes it away. */
  private RocketMqReceiver receiveInTransactions(Shop shop, AtomicInteger failures)
      throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(8);
    return open(RocketMqReceiver.start(
        open(builder(consumer)
            .transactional(shop.marks(), TransactionalHandler.forEach((connection, delivery) -> {
              String body = body(delivery.message());
              Shop.write(connection, body);
              if (body.equals("c") && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("no such item");
              }
            }))),
        consumer));
  }
}
