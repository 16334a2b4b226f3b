package io.hapax.spring.rocketmq;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import org.apache.rocketmq.spring.annotation.SelectorType;
import org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.core.RocketMQPushConsumerLifecycleListener;
import org.apache.rocketmq.spring.core.RocketMQReplyListener;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  /** Consumes texts, as most listeners here. */
  abstract static class OfTexts implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments(Broadcast.class, "messageModel is BROADCASTING"),
        arguments(FewRetries.class, "maxReconsumeTimes is 5 but must be"),
        arguments(PopMode.class, "clientRebalance is false"),
        arguments(Asynchronous.class, "it has @Async"),
        arguments(FutureReply.class, "it replies with a " + CompletableFuture.class.getName()),
        arguments(WithoutId.class, "id of @Idempotent is not set"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_cannot_be_made_safe_is_refused(Class<?> listener, String setting) {
    assertThat(refusal(listener)).hasMessageContaining(setting);
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "billing",
      messageModel = MessageModel.BROADCASTING)
  static class Broadcast extends OfTexts {}

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing", maxReconsumeTimes = 5)
  static class FewRetries extends OfTexts {}

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class PopMode extends OfTexts implements RocketMQPushConsumerLifecycleListener {
    @Override
    public void prepareStart(DefaultMQPushConsumer consumer) {
      consumer.setClientRebalance(false);
    }
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class Asynchronous extends OfTexts {
    @Override
    @Async
    public void onMessage(String message) {}
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class FutureReply implements RocketMQReplyListener<String, CompletableFuture<String>> {
    @Override
    public CompletableFuture<String> onMessage(String message) {
      return CompletableFuture.completedFuture(message);
    }
  }

  @Idempotent
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class WithoutId extends OfTexts {}

  static Stream<Arguments> misplaced() {
    return Stream.of(
        arguments(WithoutContainer.class, "WithoutContainer"),
        arguments(OnMethod.class, "OnMethod.onMessage"),
        arguments(NoListener.class, "NoListener.bill"));
  }

  @ParameterizedTest
  @MethodSource("misplaced")
  void an_annotation_that_no_container_uses_is_refused(Class<?> bean, String name) {
    runner
        .withBean(bean)
        .run(context -> assertThat(context.getStartupFailure())
            .rootCause()
            .isInstanceOf(RefusedListenerException.class)
            .hasMessageContaining("The listener " + name
                + " cannot be made idempotent: @Idempotent is not on a listener"));
  }

  @Idempotent(id = "key")
  static class WithoutContainer extends OfTexts {}

  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class OnMethod implements RocketMQListener<String> {
    @Override
    @Idempotent(id = "key")
    public void onMessage(String message) {}
  }

  static class NoListener {
    @Idempotent(id = "key")
    public void bill(String message) {}
  }

  @Test
  void a_dead_letter_topic_that_cannot_exist_is_refused() {
    assertThat(refusal(Plain.class, "hapax.dead-letters={topic}.dead"))
        .hasMessageContaining("dead-letters is '{topic}.dead', which is topic 'orders.dead'");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "billing")
  static class Plain extends OfTexts {}

  static Stream<Arguments> disagreeing() {
    return Stream.of(
        arguments(
            Elsewhere.class, "nameServer is '127.0.0.1:2;127.0.0.1:3', but '127.0.0.1:1' on "),
        arguments(OtherGroup.class, "consumerGroup is 'audit', but 'billing' on "));
  }

  @ParameterizedTest
  @MethodSource("disagreeing")
  void listeners_that_share_marks_and_disagree_are_refused(Class<?> listener, String setting) {
    assertThat(refusal(runner.withBean(Plain.class), listener)).hasMessageContaining(setting);
  }

  @ParameterizedTest
  @ValueSource(classes = {CommonTag.class, SelectedBySql.class})
  void only_groups_that_may_select_one_message_are_refused(Class<?> listener) {
    assertThat(refusal(runner.withBean(Tagged.class).withBean(OtherTag.class), listener))
        .hasMessageContaining("consumerGroup is 'audit', but 'billing' on ");
  }

  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "billing",
      nameServer = "127.0.0.1:2;127.0.0.1:3")
  static class Elsewhere extends OfTexts {}

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "audit")
  static class OtherGroup extends OfTexts {}

  @Idempotent(id = "key")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "billing",
      selectorExpression = "paid || sent")
  static class Tagged extends OfTexts {}

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "audit", selectorExpression = "sent")
  static class CommonTag extends OfTexts {}

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(
      topic = "orders",
      consumerGroup = "audit",
      selectorType = SelectorType.SQL92,
      selectorExpression = "TAGS = 'sent'")
  static class SelectedBySql extends OfTexts {}

  @Idempotent(id = "key", consumer = "billing")
  @RocketMQMessageListener(topic = "orders", consumerGroup = "archive", selectorExpression = "lost")
  static class OtherTag extends OfTexts {}
}
