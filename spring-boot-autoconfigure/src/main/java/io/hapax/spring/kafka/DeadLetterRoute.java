package io.hapax.spring.kafka;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.internal.ClientProperties;
import io.hapax.spring.kafka.ListenerSubscription.Cluster;
import io.hapax.spring.listener.ListenerDefinition;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.serializer.DeserializationException;

/** Where dead letters go: to a {@link DeadLetterPublishingRecoverer}, to a topic, or nowhere. */
final class DeadLetterRoute implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRoute.class);

  /** What could refuse or lose a dead letter, or expects keys and values that are no bytes. */
  private static final Set<String> UNSUITABLE = Set.of(
      ProducerConfig.TRANSACTIONAL_ID_CONFIG,
      ProducerConfig.ACKS_CONFIG,
      ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
      ProducerConfig.RETRIES_CONFIG,
      ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
      ProducerConfig.PARTITIONER_CLASS_CONFIG,
      ProducerConfig.CLIENT_ID_CONFIG,
      ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);

  private final ListenerDefinition settings;
  private final @Nullable DeadLetterPublishingRecoverer recoverer;
  private final Map<String, Object> producer;
  private final Map<String, KafkaDeadLetterPublisher<byte[], byte[]>> topics =
      new ConcurrentHashMap<>();

  private DeadLetterRoute(
      ListenerDefinition settings,
      @Nullable DeadLetterPublishingRecoverer recoverer,
      Map<String, Object> producer) {
    this.settings = settings;
    this.recoverer = recoverer;
    this.producer = producer;
  }

  static DeadLetterRoute of(
      ListenerDefinition settings, ListableBeanFactory beans, Map<String, Object> consumer) {
    DeadLetterPublishingRecoverer recoverer =
        beans.getBeanProvider(DeadLetterPublishingRecoverer.class).getIfUnique();
    if (recoverer == null && settings.deadLetters().isEmpty()) {
      LOG.warn(
          "{} has no dead letters: a message that fails for good blocks its partition. Set"
              + " hapax.dead-letters, for example to \"{topic}-dlt\"",
          settings.listener());
    }
    return new DeadLetterRoute(settings, recoverer, producer(beans, consumer));
  }

  /** Uses the properties of the application's producers only if they lead to the same cluster. */
  static Map<String, Object> producer(ListableBeanFactory beans, Map<String, Object> consumer) {
    ProducerFactory<?, ?> factory = beans.getBeanProvider(ProducerFactory.class).getIfUnique();
    boolean ofApplication = factory != null
        && Cluster.of(factory.getConfigurationProperties()).mayBe(Cluster.of(consumer));
    Map<String, Object> properties = ClientProperties.of(
        ofApplication ? factory.getConfigurationProperties() : consumer,
        ProducerConfig.configNames());
    properties.keySet().removeAll(UNSUITABLE);
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return properties;
  }

  boolean needsBytes() {
    return recoverer == null && settings.deadLetters().isPresent();
  }

  /** Publishes on a consumer's thread; a recoverer gets that consumer, as it does from Spring. */
  Optional<DeadLetterPublisher<ConsumerRecord<Object, Object>>> publisher(
      Supplier<Consumer<?, ?>> ofThisThread) {
    DeadLetterPublishingRecoverer target = recoverer;
    if (target != null) {
      return Optional.of(letter -> target.accept(
          PolledRecord.plain(letter.message()),
          ofThisThread.get(),
          new DeadLetteredException(letter)));
    }
    return settings.deadLetters().isPresent() ? Optional.of(this::publish) : Optional.empty();
  }

  private void publish(DeadLetter<ConsumerRecord<Object, Object>> letter) throws Exception {
    ConsumerRecord<byte[], byte[]> record = PolledRecord.raw(letter.message());
    String topic = settings.deadLetterTopic(record.topic()).orElseThrow();
    topics
        .computeIfAbsent(topic, name -> KafkaDeadLetterPublisher.to(name, producer))
        .publish(new DeadLetter<>(
            record,
            letter.consumer(),
            letter.messageId(),
            letter.coordinates(),
            letter.attempts(),
            letter.kind(),
            letter.detail(),
            letter.inDoubt(),
            letter.error()));
  }

  @Override
  public void close() {
    topics.values().forEach(KafkaDeadLetterPublisher::close);
  }

  /** Has a cause, as Spring's exception has: a recoverer may choose the topic by that. */
  static final class DeadLetteredException extends ListenerExecutionFailedException {

    private static final long serialVersionUID = 1L;

    DeadLetteredException(DeadLetter<?> letter) {
      super(
          letter.kind() + " after " + letter.attempts() + " attempts of message "
              + letter.messageId() + ": " + letter.detail(),
          letter
              .error()
              .map(error -> error.getCause() instanceof DeserializationException unreadable
                  ? unreadable
                  : error)
              .orElseGet(() -> new RejectedMessageException(letter.detail())));
    }
  }
}
