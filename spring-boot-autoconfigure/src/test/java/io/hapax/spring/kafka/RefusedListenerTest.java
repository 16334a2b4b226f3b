package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.Idempotent;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.listener.RefusedListenerException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.adapter.DefaultBatchToRecordAdapter;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.serializer.JsonDeserializer;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.scheduling.annotation.Async;

/** What cannot be made safe keeps the application from starting. No test needs a broker. */
class RefusedListenerTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withUserConfiguration(Kafka.class)
      .withPropertyValues("spring.kafka.listener.auto-startup=false");

  @KafkaApplication
  static class Kafka {}

  @Retention(RetentionPolicy.RUNTIME)
  @KafkaListener(topics = "orders", groupId = "billing")
  @Idempotent(id = "key")
  @interface Billed {}

  static Stream<Arguments> refused() {
    return Stream.of(
        // another thread runs it
        arguments(AsyncMethod.class, "AsyncMethod.on", "it has @Async"),
        arguments(AsyncClass.class, "AsyncClass.on", "it has @Async"),
        arguments(AsyncHandler.class, "AsyncHandler.on", "it has @Async"),
        // its messages could be lost or run twice
        arguments(Asynchronous.class, "Asynchronous.on", "CompletableFuture"),
        arguments(Published.class, "Published.on", "Flow$Publisher"),
        arguments(AutoCommit.class, "AutoCommit.on", "enable.auto.commit is true"),
        arguments(InTransaction.class, "Billing.on", "transaction manager"),
        arguments(Adapted.class, "Billing.on", "BatchToRecordAdapter"),
        arguments(StaticMember.class, "StaticMember.on", "session.timeout.ms"),
        arguments(NoGroup.class, "NoGroup.on", "it has no group"),
        arguments(Objects.class, "Objects.on", "fingerprint is 'value'"),
        arguments(OtherFactory.class, "Billing.on", "containerPostProcessor"),
        // the annotation has no clear effect
        arguments(MethodAndClass.class, "MethodAndClass.on", "on the method and on its class"),
        arguments(HandlerOnly.class, "HandlerOnly.on", "@KafkaHandler"),
        arguments(HalfAcknowledged.class, "HalfAcknowledged", "Acknowledgment"),
        arguments(NoListener.class, "NoListener.on", "not on a listener"),
        arguments(SpacedId.class, "SpacedId.on", "id is 'header: order-id'"),
        arguments(SpacedFingerprint.class, "SpacedFingerprint.on", "'value,header: type'"),
        arguments(Inheriting.class, "Inheriting.on", "is inherited from Base"),
        arguments(PartlyInheriting.class, "PartlyInheriting.on", "is inherited from Base"),
        // two share their marks and disagree
        arguments(TwoIds.class, "TwoIds.", "id is '"),
        arguments(TwoModes.class, "TwoModes.", "mode is '"),
        arguments(TwoGroups.class, "TwoGroups.", "group is '"),
        arguments(PatternGroups.class, "PatternGroups.", "group is '"),
        arguments(TwoClusters.class, "TwoClusters.", "bootstrap.servers is '"),
        // both get each message of a partition
        arguments(TwoAssigned.class, "TwoAssigned.", "read the same partition"),
        arguments(AssignedToo.class, "AssignedToo.", "read the same partition"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_cannot_be_made_safe_is_refused(Class<?> application, String listener, String setting) {
    assertRefused(runner, application, listener, setting);
  }

  static class AsyncMethod {
    @Async
    @Billed
    void on(String order) {}
  }

  @Async
  static class AsyncClass extends Billing {}

  @Billed
  static class AsyncHandler {
    @KafkaHandler
    void on(String order) {}

    @KafkaHandler
    @Async
    void on(Integer order) {}
  }

  static class Asynchronous {
    @Billed
    CompletableFuture<Void> on(String order) {
      return CompletableFuture.completedFuture(null);
    }
  }

  static class Published {
    @Billed
    Flow.Publisher<String> on(String order) {
      return subscriber -> {};
    }
  }

  static class AutoCommit {
    @KafkaListener(topics = "orders", groupId = "billing", properties = "enable.auto.commit=true")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  static class InTransaction extends Billing {
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
  }

  static class Adapted extends Billing {
    @Bean
    ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory(
        ConsumerFactory<Object, Object> consumers) {
      ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(consumers);
      factory.setBatchListener(true);
      factory.setBatchToRecordAdapter(new DefaultBatchToRecordAdapter<>());
      factory.setRecordFilterStrategy(record -> false);
      return factory;
    }
  }

  static class StaticMember {
    @KafkaListener(
        topics = "orders",
        groupId = "billing",
        properties = {"group.instance.id=a", "session.timeout.ms=40000"})
    @Idempotent(id = "key")
    void on(String order) {}
  }

  static class NoGroup {
    @KafkaListener(topics = "orders")
    @Idempotent(id = "key", consumer = "billing")
    void on(String order) {}
  }

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

  @Import(Billing.class)
  static class OtherFactory extends IgnoringFactories {}

  static class IgnoringFactories {
    @Bean
    KafkaListenerContainerFactory<?> kafkaListenerContainerFactory(
        ConsumerFactory<Object, Object> consumers) {
      return new IgnoringFactory(consumers);
    }
  }

  @Test
  void a_manual_listener_that_cannot_acknowledge_is_refused() {
    assertRefused(
        runner.withPropertyValues("spring.kafka.listener.ack-mode=manual"),
        Mute.class,
        "Mute.on",
        "AckMode of its container is MANUAL");
  }

  static class Mute {
    @Billed
    void on(List<String> orders) {}
  }

  @Test
  void dead_letters_of_bytes_that_a_deserializer_object_hides_are_refused() {
    assertRefused(
        runner.withPropertyValues("hapax.dead-letters={topic}-dlt"),
        Decrypting.class,
        "Billing.on",
        "dead letters go to");
  }

  static class Decrypting extends Billing {
    @Bean
    ConsumerFactory<?, ?> consumers() {
      return new DefaultKafkaConsumerFactory<>(
          Map.of(), new DecryptingDeserializer(), new DecryptingDeserializer());
    }
  }

  /** Returns texts that are not what was received. */
  static final class DecryptingDeserializer extends StringDeserializer {}

  @Idempotent(id = "header:order-id")
  static class MethodAndClass {
    @Billed
    void on(String order) {}
  }

  @KafkaListener(topics = "orders", groupId = "billing")
  static class HandlerOnly {
    @KafkaHandler
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Billed
  static class HalfAcknowledged {
    @KafkaHandler
    void on(String order, Acknowledgment acknowledgment) {}

    @KafkaHandler
    void on(Integer order) {}
  }

  static class NoListener {
    @Idempotent(id = "key")
    void on(String order) {}
  }

  static class SpacedId {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "header: order-id")
    void on(String order) {}
  }

  static class SpacedFingerprint {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key", fingerprint = "value,header: type")
    void on(String order) {}
  }

  static class Base {
    @KafkaListener(topics = "orders", groupId = "billing")
    void on(String order) {}
  }

  @Idempotent(id = "key")
  static class Inheriting extends Base {}

  @Idempotent(id = "key")
  static class PartlyInheriting extends Base {
    @KafkaListener(topics = "orders", groupId = "billing")
    void own(String order) {}
  }

  static class TwoIds extends Billing {
    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "header:id", consumer = "billing")
    void audit(String order) {}
  }

  static class TwoModes extends Billing {
    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing", mode = Mode.LEASED)
    void audit(String order) {}
  }

  static class TwoGroups extends Billing {
    @KafkaListener(topics = "orders", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing")
    void audit(String order) {}
  }

  static class PatternGroups extends Billing {
    @KafkaListener(topicPattern = "ord.*", groupId = "audit")
    @Idempotent(id = "key", consumer = "billing")
    void audit(String order) {}
  }

  static class TwoClusters {
    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=a:1,b:1")
    @Idempotent(id = "key")
    void here(String order) {}

    @KafkaListener(topics = "orders", groupId = "billing", properties = "bootstrap.servers=c:1")
    @Idempotent(id = "key")
    void there(String order) {}
  }

  static class TwoAssigned {
    @KafkaListener(
        topicPartitions = @TopicPartition(topic = "orders", partitions = "0-2"),
        groupId = "billing")
    @Idempotent(id = "key")
    void first(String order) {}

    @KafkaListener(
        topicPartitions = @TopicPartition(topic = "orders", partitions = "${assigned.second:2}"),
        groupId = "billing")
    @Idempotent(id = "key")
    void second(String order) {}
  }

  static class AssignedToo extends Billing {
    @KafkaListener(
        topicPartitions = @TopicPartition(topic = "orders", partitions = "0"),
        groupId = "billing")
    @Idempotent(id = "key")
    void assigned(String order) {}
  }

  @ParameterizedTest
  @ValueSource(classes = {OneCluster.class, TwoAssigned.class})
  void listeners_that_share_no_messages_are_accepted(Class<?> application) {
    runner
        .withUserConfiguration(application)
        .withPropertyValues("assigned.second=3")
        .run(context -> assertThat(context).hasNotFailed());
  }

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
  void a_listener_that_a_test_replaced_does_not_keep_it_from_starting() {
    runner
        .withUserConfiguration(Replaced.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  static class Billing {
    @Billed
    void on(String order) {}
  }

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

  static class Late {
    @Bean
    @Lazy
    Inheriting lazy() {
      return new Inheriting();
    }

    @Bean
    @Scope("prototype")
    Inheriting prototype() {
      return new Inheriting();
    }

    @Bean
    @Lazy
    FactoryBean<Inheriting> product() {
      return new FactoryBean<>() {
        @Override
        public Inheriting getObject() {
          return new Inheriting();
        }

        @Override
        public Class<?> getObjectType() {
          return Inheriting.class;
        }
      };
    }

    @Bean
    @Lazy
    NoListener misplaced() {
      return new NoListener();
    }
  }

  @Test
  void a_container_factory_that_ignores_the_annotation_is_refused_after_the_start() {
    runner.withUserConfiguration(LateOtherFactory.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThatThrownBy(() -> context.getBean("billing"))
          .rootCause()
          .isInstanceOf(RefusedListenerException.class)
          .hasMessageContaining("containerPostProcessor");
    });
  }

  static class LateOtherFactory extends IgnoringFactories {
    @Bean
    @Lazy
    Billing billing() {
      return new Billing();
    }
  }

  @Test
  void a_post_processor_of_the_application_is_called_too() {
    runner.withUserConfiguration(OwnPostProcessor.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThat(OwnPostProcessor.called).isTrue();
    });
  }

  static class OwnPostProcessor {
    static boolean called;

    @Bean("own-one")
    static ContainerPostProcessor<
            Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        own() {
      return container -> called = true;
    }

    @KafkaListener(topics = "orders", groupId = "billing", containerPostProcessor = "own-one")
    @Idempotent(id = "key")
    void on(String order) {}
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
