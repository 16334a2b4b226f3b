package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.Idempotent;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.listener.RefusedListenerException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.serializer.JsonDeserializer;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.scheduling.annotation.Async;

/** What cannot be made safe keeps the application from starting. No test needs a broker. */
class RefusedListenerTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withPropertyValues("spring.kafka.listener.auto-startup=false");

  @KafkaApplication
  static class Asynchronous {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    CompletableFuture<Void> on(String order) {
      return CompletableFuture.completedFuture(null);
    }
  }

  @Test
  void an_asynchronous_listener_is_refused() {
    assertRefused(Asynchronous.class, "Asynchronous.on", "CompletableFuture");
  }

  @KafkaApplication
  static class AsyncMethod {
    @Async
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_listener_that_another_thread_runs_is_refused() {
    assertRefused(AsyncMethod.class, "AsyncMethod.on", "it has @Async");
  }

  @KafkaApplication
  @Async
  static class AsyncClass extends Billing {}

  @Test
  void an_inherited_listener_that_another_thread_runs_is_refused() {
    assertRefused(AsyncClass.class, "AsyncClass.on", "it has @Async");
  }

  @KafkaApplication
  @KafkaListener(topics = "orders", groupId = "billing")
  @Idempotent(id = "key")
  static class AsyncHandler {
    @KafkaHandler
    void on(String order) {}

    @KafkaHandler
    @Async
    void on(Integer order) {}
  }

  @Test
  void a_handler_method_that_another_thread_runs_is_refused() {
    assertRefused(AsyncHandler.class, "AsyncHandler.on", "it has @Async");
  }

  @KafkaApplication
  static class Published {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    Flow.Publisher<String> on(String order) {
      return subscriber -> {};
    }
  }

  @Test
  void a_reactive_listener_is_refused() {
    assertRefused(Published.class, "Published.on", "Flow$Publisher");
  }

  @KafkaApplication
  static class AutoCommit {
    @KafkaListener(topics = "orders", groupId = "billing", properties = "enable.auto.commit=true")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_consumer_that_commits_by_itself_is_refused() {
    assertRefused(AutoCommit.class, "AutoCommit.on", "enable.auto.commit is true");
  }

  @KafkaApplication
  static class Mute {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(List<String> orders) {}
  }

  @Test
  void a_manual_listener_that_cannot_acknowledge_is_refused() {
    assertRefused(
        runner.withPropertyValues("spring.kafka.listener.ack-mode=manual"),
        Mute.class,
        "Mute.on",
        "AckMode of its container is MANUAL");
  }

  @KafkaApplication
  static class InTransaction {
    @Bean
    ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory(
        ConsumerFactory<Object, Object> consumers) {
      ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(consumers);
      DefaultKafkaProducerFactory<Object, Object> producers =
          new DefaultKafkaProducerFactory<>(Map.of());
      producers.setTransactionIdPrefix("billing");
      factory
          .getContainerProperties()
          .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
      return factory;
    }

    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_container_with_transactions_is_refused() {
    assertRefused(InTransaction.class, "InTransaction.on", "transaction manager");
  }

  @KafkaApplication
  @Idempotent(id = "header:order-id")
  static class MethodAndClass {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void annotations_of_method_and_class_that_disagree_are_refused() {
    assertRefused(MethodAndClass.class, "MethodAndClass.on", "on the method and on its class");
  }

  @KafkaApplication
  static class TwoListeners {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "header:id", consumer = "billing")
    void audit(String order) {}
  }

  @Test
  void listeners_of_one_consumer_and_topic_that_disagree_are_refused() {
    assertRefused(TwoListeners.class, "TwoListeners.", "id is '");
  }

  @KafkaApplication
  static class TwoModes {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing", mode = Mode.LEASED)
    void audit(String order) {}
  }

  @Test
  void listeners_of_one_consumer_and_topic_in_two_modes_are_refused() {
    assertRefused(TwoModes.class, "TwoModes.", "mode is '");
  }

  @KafkaApplication
  static class TwoGroups {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing")
    void audit(String order) {}
  }

  @Test
  void groups_of_one_consumer_and_topic_are_refused() {
    assertRefused(TwoGroups.class, "TwoGroups.", "group is '");
  }

  @KafkaApplication
  static class PatternGroups {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @KafkaListener(topicPattern = "ord.*", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing")
    void audit(String order) {}
  }

  @Test
  void groups_of_one_consumer_and_a_pattern_are_refused() {
    assertRefused(PatternGroups.class, "PatternGroups.", "group is '");
  }

  @KafkaApplication
  static class TwoClusters {
    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=a:1,b:1")
    @Idempotent(id = "key")
    void here(String order) {}

    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=c:1")
    @Idempotent(id = "key")
    void there(String order) {}
  }

  @Test
  void equal_topics_of_two_clusters_under_one_consumer_are_refused() {
    assertRefused(TwoClusters.class, "TwoClusters.", "bootstrap.servers is '");
  }

  @KafkaApplication
  static class OneCluster {
    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=a:1,b:1")
    @Idempotent(id = "key")
    void here(String order) {}

    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=b:1")
    @Idempotent(id = "key")
    void alsoHere(String order) {}

    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=c:1")
    @Idempotent(id = "key", consumer = "billing-there")
    void there(String order) {}
  }

  @Test
  void two_clusters_with_consumers_of_their_own_are_accepted() {
    runner
        .withUserConfiguration(OneCluster.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @KafkaApplication
  @KafkaListener(topics = "orders", groupId = "billing")
  static class HandlerOnly {
    @KafkaHandler
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void an_annotation_on_a_handler_method_is_refused() {
    assertRefused(HandlerOnly.class, "HandlerOnly.on", "@KafkaHandler");
  }

  @KafkaApplication
  @KafkaListener(topics = "orders", groupId = "billing")
  @Idempotent(id = "key")
  static class HalfAcknowledged {
    @KafkaHandler
    void on(String order, Acknowledgment acknowledgment) {}

    @KafkaHandler
    void on(Integer order) {}
  }

  @Test
  void handler_methods_of_which_only_some_acknowledge_are_refused() {
    assertRefused(HalfAcknowledged.class, "HalfAcknowledged", "Acknowledgment");
  }

  @KafkaApplication
  static class NoGroup {
    @KafkaListener(topics = "orders")
    @Idempotent(id = "key", consumer = "billing")
    void on(String order) {}
  }

  @Test
  void a_listener_without_a_group_is_refused() {
    assertRefused(NoGroup.class, "NoGroup.on", "it has no group");
  }

  @KafkaApplication
  static class StaticMember {
    @KafkaListener(
        topics = "orders",
        groupId = "billing",
        properties = {"group.instance.id=a", "session.timeout.ms=40000"})
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_static_member_whose_session_outlasts_the_lease_is_refused() {
    assertRefused(StaticMember.class, "StaticMember.on", "session.timeout.ms");
  }

  @KafkaApplication
  static class NoListener {
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void an_annotation_without_a_listener_is_refused() {
    assertRefused(NoListener.class, "NoListener.on", "not on a listener");
  }

  @KafkaApplication
  static class Replaced {
    /** Takes the place of the definition, as a mock bean of a test does. */
    @Bean
    static BeanFactoryPostProcessor replacement() {
      return beans -> beans.registerSingleton("billing", new Billing());
    }

    @Bean
    Billing billing() {
      return new Billing();
    }
  }

  static class Billing {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_listener_that_a_test_replaced_does_not_keep_it_from_starting() {
    runner.withUserConfiguration(Replaced.class).run(context -> {
      assertThat(context).hasNotFailed();
    });
  }

  static class Base {
    @KafkaListener(topics = "orders", groupId = "billing")
    void on(String order) {}
  }

  @KafkaApplication
  @Idempotent(id = "key")
  static class Inheriting extends Base {}

  @Test
  void an_annotation_on_a_class_that_inherits_its_listener_is_refused() {
    assertRefused(Inheriting.class, "Inheriting.on", "is inherited from Base");
  }

  @KafkaApplication
  @Idempotent(id = "key")
  static class PartlyInheriting extends Base {
    @KafkaListener(topics = "orders", groupId = "billing")
    void own(String order) {}
  }

  @Test
  void an_inherited_listener_beside_an_own_one_is_refused() {
    assertRefused(PartlyInheriting.class, "PartlyInheriting.on", "is inherited from Base");
  }

  @Idempotent(id = "key")
  static class LateInheriting extends Base {}

  @KafkaApplication
  static class Late {
    @Bean
    @Lazy
    LateInheriting lazy() {
      return new LateInheriting();
    }

    @Bean
    @Scope("prototype")
    LateInheriting prototype() {
      return new LateInheriting();
    }

    @Bean
    @Lazy
    FactoryBean<LateInheriting> product() {
      return new FactoryBean<>() {
        @Override
        public LateInheriting getObject() {
          return new LateInheriting();
        }

        @Override
        public Class<?> getObjectType() {
          return LateInheriting.class;
        }
      };
    }

    @Bean
    @Lazy
    NoListener misplaced() {
      return new NoListener();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lazy", "prototype", "product", "misplaced"})
  void a_bean_that_is_made_after_the_start_is_checked_too(String name) {
    runner.withUserConfiguration(Late.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThatThrownBy(() -> context.getBean(name))
          .rootCause()
          .isInstanceOf(RefusedListenerException.class);
    });
  }

  @KafkaApplication
  static class Objects {
    @Bean
    ConsumerFactory<Object, Object> consumers() {
      return new DefaultKafkaConsumerFactory<>(
          Map.of(), new JsonDeserializer<>(), new JsonDeserializer<>());
    }

    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "header:id")
    void on(List<String> order) {}
  }

  @Test
  void a_fingerprint_of_bytes_that_a_deserializer_object_hides_is_refused() {
    assertRefused(Objects.class, "Objects.on", "fingerprint is 'value'");
  }

  private static final class IgnoringFactory
      extends ConcurrentKafkaListenerContainerFactory<Object, Object> {
    IgnoringFactory(ConsumerFactory<Object, Object> consumers) {
      setConsumerFactory(consumers);
    }

    @Override
    protected void customizeContainer(
        ConcurrentMessageListenerContainer<Object, Object> container,
        KafkaListenerEndpoint endpoint) {}
  }

  @KafkaApplication
  static class Decrypting {
    @Bean
    ConsumerFactory<?, ?> consumers() {
      return new DefaultKafkaConsumerFactory<>(
          Map.of(), new DecryptingDeserializer(), new DecryptingDeserializer());
    }

    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "header:id")
    void on(String order) {}
  }

  /** Returns texts that are not what was received. */
  static final class DecryptingDeserializer extends StringDeserializer {}

  @Test
  void dead_letters_of_bytes_that_a_deserializer_object_hides_are_refused() {
    assertRefused(
        runner.withPropertyValues("hapax.dead-letters={topic}-dlt"),
        Decrypting.class,
        "Decrypting.on",
        "dead letters go to");
  }

  @KafkaApplication
  static class OtherFactory {
    @Bean
    KafkaListenerContainerFactory<?> kafkaListenerContainerFactory(
        ConsumerFactory<Object, Object> consumers) {
      return new IgnoringFactory(consumers);
    }

    @KafkaListener(topics = "orders", groupId = "billing", autoStartup = "false")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_container_factory_that_ignores_the_annotation_is_refused() {
    assertRefused(OtherFactory.class, "OtherFactory.on", "containerPostProcessor");
  }

  @KafkaApplication
  static class LateOtherFactory {
    @Bean
    KafkaListenerContainerFactory<?> kafkaListenerContainerFactory(
        ConsumerFactory<Object, Object> consumers) {
      return new IgnoringFactory(consumers);
    }

    @Bean
    @Lazy
    Billing billing() {
      return new Billing();
    }
  }

  @Test
  void a_container_factory_that_ignores_the_annotation_is_refused_after_the_start() {
    runner.withUserConfiguration(LateOtherFactory.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThatThrownBy(() -> context.getBean(Billing.class))
          .rootCause()
          .isInstanceOf(RefusedListenerException.class)
          .hasMessageContaining("containerPostProcessor");
    });
  }

  @KafkaApplication
  static class OwnPostProcessor {
    static boolean called;

    @Bean
    static ContainerPostProcessor<
            Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        own() {
      return container -> called = true;
    }

    @KafkaListener(topics = "orders", groupId = "billing", containerPostProcessor = "own")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_post_processor_of_the_application_is_called_too() {
    runner.withUserConfiguration(OwnPostProcessor.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThat(OwnPostProcessor.called).isTrue();
    });
  }

  private void assertRefused(Class<?> application, String listener, String setting) {
    assertRefused(runner, application, listener, setting);
  }

  private static void assertRefused(
      ApplicationContextRunner runner, Class<?> application, String listener, String setting) {
    runner.withUserConfiguration(application).run(context -> {
      assertThat(context).hasFailed();
      Throwable root = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
      assertThat(root)
          .isInstanceOf(RefusedListenerException.class)
          .hasMessageContaining(listener)
          .hasMessageContaining(setting);
      assertThat(((RefusedListenerException) root).wayOut()).isNotEmpty();
    });
  }
}
