package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.kafka.KafkaAudit;
import io.hapax.kafka.KafkaRedriver;
import io.hapax.kafka.KafkaTopicCheck;
import io.hapax.mark.Fingerprint;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The topics of a listener. It reads records as bytes, and deserializes copies of them for the
 * expressions of the listener.
 */
final class KafkaTopics implements ListenerTopics {

  private final Subscription subscription;
  private final ListenerSettings settings;
  private final ConsumerOverrides consumers;
  private final ListableBeanFactory beans;
  private final KafkaFields fields;
  private final boolean ownLetters;

  /**
   * Makes the topics.
   *
   * @param subscription what the listener reads
   * @param consumers the consumers of its container
   * @param beans the application's beans
   * @param fields reads its records
   * @param ownLetters whether Hapax publishes its dead-letter records to a topic
   */
  KafkaTopics(
      Subscription subscription,
      ConsumerOverrides consumers,
      ListableBeanFactory beans,
      KafkaFields fields,
      boolean ownLetters) {
    this.subscription = subscription;
    this.settings = subscription.settings();
    this.consumers = consumers;
    this.beans = beans;
    this.fields = fields;
    this.ownLetters = ownLetters;
  }

  @Override
  public String consumer() {
    return settings.consumer();
  }

  @Override
  public Set<String> names() {
    return subscription.topics();
  }

  @Override
  public boolean reads(String topic) {
    return subscription.topics().contains(topic) || consumers.readsByPattern(topic);
  }

  @Override
  public AuditReport audit(String topic, StartingPoint from, AuditProgress progress)
      throws InterruptedException {
    Function<ConsumerRecord<Object, Object>, Fingerprint> fingerprint =
        expressions().fingerprint(settings);
    try (StoredRecords records = new StoredRecords(consumers)) {
      AuditSettings<ConsumerRecord<byte[], byte[]>> reading = AuditSettings.of(
          settings.consumer(), ids(records), record -> fingerprint.apply(records.received(record)));
      return KafkaAudit.of(new Stores(beans).of(settings), reading, reading())
          .withProgress(progress)
          .run(TopicPart.all(topic), from);
    }
  }

  @Override
  public Optional<String> deadLetters(String topic) {
    return ownLetters ? settings.deadLetterTopic(topic) : Optional.empty();
  }

  @Override
  public RedriveReport redrive(
      String topic, StartingPoint from, DeadLetterSelection which, boolean executes)
      throws InterruptedException {
    TopicPart letters = TopicPart.all(deadLetters(topic).orElseThrow());
    try (StoredRecords records = new StoredRecords(consumers);
        KafkaRedriver<byte[], byte[]> redriver = KafkaRedriver.of(
            new Stores(beans).of(settings),
            settings.consumer(),
            ids(records),
            new RedriveSettings(targets(topic), false),
            DeadLetterRoute.producer(beans, consumers.effective()))) {
      return executes
          ? redriver.redrive(reading(), letters, from, which)
          : redriver.plan(reading(), letters, from, which);
    }
  }

  /** Returns the properties of the connection to the brokers. */
  Map<String, Object> connection() {
    Map<String, Object> properties = consumers.effective();
    properties.keySet().retainAll(AdminClientConfig.configNames());
    properties.remove(AdminClientConfig.CLIENT_ID_CONFIG);
    return properties;
  }

  /**
   * Returns warnings about the topics, whose listener starts all the same.
   *
   * @throws KafkaException if the brokers do not answer
   */
  List<String> warnings(KafkaTopicCheck check) {
    List<String> warnings = new ArrayList<>();
    Set<String> names = new TreeSet<>(subscription.topics());
    names.removeAll(check.missing(names)); // Spring reports them
    for (String name : names) {
      deadLetters(name)
          .filter(letters -> !check.missing(Set.of(letters)).isEmpty())
          .ifPresent(letters -> warnings.add(settings.deadLettersSetting() + " is '"
              + settings.deadLetters().orElse("") + "', but topic " + letters
              + " does not exist: a message of " + name + " that fails for good will block its"
              + " partition until you create it"));
    }
    DedupStore store = new Stores(beans).of(settings);
    check
        .replayWarnings(names, store.retention())
        .forEach(warning -> warnings.add(warning + ". Set hapax.retention above it"));
    return warnings;
  }

  /** Returns the listener, for people. */
  String listener() {
    return settings.listener();
  }

  /** Returns the topics that share the dead-letter topic of this one. */
  private Set<String> targets(String topic) {
    Set<String> targets = new HashSet<>(Set.of(topic));
    subscription.topics().stream()
        .filter(other -> deadLetters(other).equals(deadLetters(topic)))
        .forEach(targets::add);
    return targets;
  }

  private MessageExpressions<ConsumerRecord<Object, Object>> expressions() {
    return new MessageExpressions<>(fields, beans);
  }

  private IdExtractor<ConsumerRecord<byte[], byte[]>> ids(StoredRecords records) {
    IdExtractor<ConsumerRecord<Object, Object>> ids = expressions().id(settings);
    return record -> ids.idOf(records.received(record));
  }

  private Map<String, Object> reading() {
    Map<String, Object> properties = consumers.effective();
    properties.values().removeIf(Objects::isNull);
    properties.remove(ConsumerConfig.CLIENT_ID_CONFIG);
    properties.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }
}
