package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that do not fit each other, and what a broker keeps; others are refused elsewhere. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_ERR)
class StartChecksTest extends WithConsumers {

  private ClientInternals started() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    start(consumer, (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
    return new ClientInternals(consumer);
  }

  /** Returns the log of a check with marks that are kept for {@code remembered}. */
  private String warnings(ClientInternals internals, Duration remembered, boolean sendsBack)
      throws Exception {
    GroupCheck check = new GroupCheck(internals, remembered, clock, sendsBack);
    return Log.of(() -> assertThat(check.refusal()).isEmpty());
  }

  @Test
  void a_broker_that_keeps_messages_longer_than_marks_is_named() throws Exception {
    ClientInternals internals = started();

    assertThat(warnings(internals, Duration.ofDays(3), true))
        .contains("Broker " + broker() + " keeps messages for PT72H (fileReservedTime)")
        .contains("marks for PT72H: older messages run again");
    assertThat(warnings(internals, Duration.ofDays(3), false))
        .doesNotContain("marks for PT72H"); // it sends nothing back: no retries on top
    assertThat(warnings(internals, Duration.ofDays(8), true)).doesNotContain("marks for PT192H");
  }

  @Test
  void a_broker_that_delays_messages_longer_than_marks_are_kept_is_named() throws Exception {
    assertThat(warnings(started(), Duration.ofDays(3).minusSeconds(1), false))
        .contains("Broker " + broker() + " delays messages for up to PT72H (timerMaxDelaySec)")
        .contains("marks for PT71H59M59S: under tooOld(DEAD_LETTER)");
  }

  private List<String> prepared(
      DefaultMQPushConsumer consumer, ReceiverBuilder<MessageExt> settings) {
    return PushConsumerSettings.prepare(consumer, open(settings.leased(store, this::record)));
  }

  @Test
  void a_group_that_reads_its_own_dead_letters_is_warned_of() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    assertThat(prepared(consumer, builder(consumer))).isEmpty();
    consumer.subscribe("%DLQ%" + group, ALL);

    assertThat(prepared(consumer, builder(consumer)))
        .singleElement()
        .asString()
        .contains("reads its own dead-letter topic %DLQ%" + group, "another group");
  }

  @Test
  void a_handler_timeout_above_the_consume_timeout_is_warned_of() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(10);

    assertThat(prepared(consumer, builder(consumer).handlerTimeout(Duration.ofMinutes(10))))
        .singleElement()
        .asString()
        .contains("consumeTimeout of group " + group + " is PT10M")
        .contains("should be longer than the handlerTimeout PT10M");
    assertThat(prepared(consumer, builder(consumer).handlerTimeout(Duration.ofMinutes(9))))
        .isEmpty();
  }

  @Test
  void a_lease_that_the_client_does_not_wait_for_is_warned_of() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(1);

    assertThat(
            prepared(consumer, builder(consumer).lease(LeaseSettings.of(Duration.ofSeconds(31)))))
        .singleElement()
        .asString()
        .contains("PT1M but should be at least twice the lease PT31S");
  }

  @Test
  void a_group_that_may_begin_at_the_end_of_a_queue_is_warned_of() throws Exception {
    DefaultMQPushConsumer untouched = new DefaultMQPushConsumer(group);
    DefaultMQPushConsumer fromTime = new DefaultMQPushConsumer(group);
    fromTime.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_TIMESTAMP);

    assertThat(prepared(untouched, builder(untouched)))
        .singleElement()
        .asString()
        .contains("consumeFromWhere of group " + group + " is CONSUME_FROM_LAST_OFFSET")
        .contains("may begin at the end and miss earlier messages");
    assertThat(prepared(fromTime, builder(fromTime))).isEmpty();
    assertThat(prepared(consumer(), builder(untouched))).isEmpty();
  }

  @Test
  void all_warnings_about_settings_are_logged_at_start() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(1);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .lease(LeaseSettings.of(Duration.ofSeconds(31)))
        .leased(storeThatKeeps(Duration.ofDays(3)), delivery -> {}));

    String log = Log.of(() -> open(RocketMqReceiver.start(receiver, consumer)));

    assertThat(log)
        .containsOnlyOnce("consumeTimeout of group " + group
            + " is PT1M but should be at least twice the lease PT31S")
        .containsOnlyOnce("consumeFromWhere of group " + group + " is CONSUME_FROM_LAST_OFFSET")
        .containsOnlyOnce("Broker " + broker() + " keeps messages for PT72H (fileReservedTime)");
  }

  @Test
  void a_broker_that_counts_less_attempts_than_the_receiver_is_refused() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setMaxReconsumeTimes(1_500);
    var receiver = open(builder(consumer)
        .retry(new RetrySettings(2_000, Duration.ofMillis(50), Duration.ofMillis(100)))
        .leased(store, delivery -> {}));

    assertThatThrownBy(() -> RocketMqReceiver.start(receiver, consumer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxReconsumeTimes is 1500 but must be unset or at least 2000");
  }

  private static Stream<Arguments> refusedSettings() {
    return Stream.of(
        changed(
            "messageModel is BROADCASTING", it -> it.setMessageModel(MessageModel.BROADCASTING)),
        changed("clientRebalance is false but must be true", it -> it.setClientRebalance(false)),
        changed(
            "maxReconsumeTimes is 2 but must be unset or at least 1000:",
            it -> it.setMaxReconsumeTimes(2)),
        changed(
            "maxReconsumeTimes is -1 (16 with a concurrent listener) but must be at least 1000:",
            it -> it.setMaxReconsumeTimes(-1)));
  }

  private static Arguments changed(String text, Consumer<DefaultMQPushConsumer> change) {
    return Arguments.of(text, change);
  }

  /** A broadcast message that fails is dropped; one that was sent back too often is buried. */
  @ParameterizedTest
  @MethodSource("refusedSettings")
  void a_refused_setting_also_stops_the_listener_if_it_is_set_after_wrapping(
      String text, Consumer<DefaultMQPushConsumer> change) throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer consumer = consumer();
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          effects.add(body(messages.get(0)));
          return ConsumeConcurrentlyStatus.RECONSUME_LATER;
        }));
    CountDownLatch answered = new CountDownLatch(1);
    change.accept(consumer);

    start(consumer, (messages, context) -> {
      ConsumeConcurrentlyStatus answer = listener.consumeMessage(messages, context);
      answered.countDown();
      return answer;
    });

    assertThat(answered.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(effects).isEmpty();
    assertThat(listener.problems())
        .singleElement()
        .satisfies(it -> assertThat(it.text()).startsWith(text));
  }

  @Test
  void a_listener_whose_consumer_is_refused_leaves_no_thread_behind() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setMaxReconsumeTimes(16);

    assertThatThrownBy(() -> IdempotentConcurrentListener.wrap(
            consumer, store, (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxReconsumeTimes is 16");
    assertThatThrownBy(() -> IdempotentOrderlyListener.wrap(
            consumer, store, (messages, context) -> ConsumeOrderlyStatus.SUCCESS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxReconsumeTimes is 16");

    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  private List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("hapax-") && name.contains("-" + group + "-"))
        .toList();
  }
}
