package io.hapax.spring.rocketmq;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.Idempotent;
import io.hapax.spring.autoconfigure.HapaxAutoConfiguration;
import io.hapax.spring.autoconfigure.HapaxRocketMqAutoConfiguration;
import io.hapax.spring.listener.RefusedListenerException;
import io.hapax.store.InMemoryDedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.spring.annotation.MessageModel;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.core.RocketMQPushConsumerLifecycleListener;
import org.apache.rocketmq.spring.core.RocketMQReplyListener;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;

/** Listeners that keep the application from starting; no broker is asked. */
@Timeout(60)
class RefusedListenerTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(
          RocketMQAutoConfiguration.class,
          HapaxAutoConfiguration.class,
          HapaxRocketMqAutoConfiguration.class))
      .withBean(InMemoryDedupStore.class)
      .withPropertyValues("rocketmq.name-server=127.0.0.1:1");

  private RefusedListenerException refusal(Class<?> listener, String... settings) {
    return refusal(runner, listener, settings);
  }

  private static RefusedListenerException refusal(
      ApplicationContextRunner runner, Class<?> listener, String... settings) {
    List<RefusedListenerException> refusals = new ArrayList<>();
    runner.withBean(listener).withPropertyValues(settings).run(context -> {
      assertThat(context).hasFailed();
      Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
          .filter(RefusedListenerException.class::isInstance)
          .forEach(it -> refusals.add((RefusedListenerException) it));
    });
    assertThat(refusals)
        .singleElement(as(InstanceOfAssertFactories.THROWABLE))
        .hasMessageStartingWith("The listener " + listener.getName() + ".onMessage cannot be");
    return refusals.get(0);
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "billing",
      messageModel = MessageModel.BROADCASTING)
  static class Broadcast implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void a_broadcast_listener_is_refused() {
    assertThat(refusal(Broadcast.class).setting()).isEqualTo("messageModel is BROADCASTING");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing", maxReconsumeTimes = 5)
  static class FewRetries implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void a_low_limit_of_redeliveries_is_refused() {
    assertThat(refusal(FewRetries.class))
        .hasMessageContaining("maxReconsumeTimes is 5 but must be")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class PopMode implements RocketMQListener<String>, RocketMQPushConsumerLifecycleListener {
    @Override
    public void onMessage(String message) {}

    @Override
    public void prepareStart(DefaultMQPushConsumer consumer) {
      consumer.setClientRebalance(false);
    }
  }

  @Test
  void a_consumer_in_pop_mode_is_refused() {
    assertThat(refusal(PopMode.class)).hasMessageContaining("clientRebalance is false");
  }

  @Idempotent(id = "key")
  static class WithoutContainer implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void a_listener_that_no_container_calls_is_refused() {
    assertMisplaced(WithoutContainer.class, "WithoutContainer");
  }

  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class OnMethod implements RocketMQListener<String> {
    @Override
    @Idempotent(id = "key")
    public void onMessage(String message) {}
  }

  @Test
  void an_annotation_on_the_method_is_refused() {
    assertMisplaced(OnMethod.class, "OnMethod.onMessage");
  }

  static class NoListener {
    @Idempotent(id = "key")
    public void bill(String message) {}
  }

  @Test
  void an_annotation_that_is_not_on_a_listener_is_refused() {
    assertMisplaced(NoListener.class, "NoListener.bill");
  }

  private void assertMisplaced(Class<?> bean, String name) {
    runner
        .withBean(bean)
        .run(context -> assertThat(context.getStartupFailure())
            .rootCause()
            .isInstanceOf(RefusedListenerException.class)
            .hasMessageContaining("The listener " + name
                + " cannot be made idempotent: @Idempotent is" + " not on a listener"));
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class Asynchronous implements RocketMQListener<String> {
    @Override
    @Async
    public void onMessage(String message) {}
  }

  @Test
  void an_asynchronous_listener_is_refused() {
    assertThat(refusal(Asynchronous.class).setting()).isEqualTo("it has @Async");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class FutureReply implements RocketMQReplyListener<String, CompletableFuture<String>> {
    @Override
    public CompletableFuture<String> onMessage(String message) {
      return CompletableFuture.completedFuture(message);
    }
  }

  @Test
  void a_listener_that_replies_with_a_future_is_refused() {
    assertThat(refusal(FutureReply.class).setting()).contains("CompletableFuture");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class Plain implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void a_dead_letter_topic_that_cannot_exist_is_refused() {
    assertThat(refusal(Plain.class, "hapax.dead-letters={topic}.dead"))
        .hasMessageContaining("dead-letters is '{topic}.dead', which is topic 'orders.dead'");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "billing",
      nameServer = "127.0.0.1:2;127.0.0.1:3")
  static class Elsewhere implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void equal_topics_of_two_clusters_under_one_consumer_are_refused() {
    assertThat(refusal(runner.withBean(Plain.class), Elsewhere.class))
        .hasMessageContaining("nameServer is '127.0.0.1:2;127.0.0.1:3', but '127.0.0.1:1' on ");
  }

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "audit")
  static class OtherGroup implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void groups_of_one_consumer_and_topic_are_refused() {
    assertThat(refusal(runner.withBean(Plain.class), OtherGroup.class))
        .hasMessageContaining("consumerGroup is 'audit', but 'billing' on ");
  }

  @Idempotent
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class WithoutId implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Test
  void a_listener_without_an_id_is_refused() {
    assertThat(refusal(WithoutId.class).setting()).contains("id of @Idempotent is not set");
  }
}
