package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.kafka.internal.ClientProperties;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.kafka.internal.ReplayHorizon;
import io.hapax.mark.Fingerprint;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.beans.factory.ListableBeanFactory;

/** Operations work on bytes, and deserialize copies for the expressions of the listener. */
record KafkaListenerTopics(
    ListenerSubscription subscription,
    ConsumerOverrides consumers,
    ListableBeanFactory beans,
    KafkaFields fields,
    boolean ownLetters)
    implements ListenerTopics {

  @Override
  public ListenerDefinition settings() {
    return subscription.settings();
  }

  @Override
  public String group() {
    return subscription.group();
  }

  @Override
  public Set<String> names() {
    return subscription.topics();
  }

  @Override
  public boolean reads(String topic) {
    return names().contains(topic) || consumers.readsByPattern(topic);
  }

  @Override
  public Optional<String> topicOf(String coordinates) {
    return RecordPlace.of(coordinates).map(place -> place.partition().topic()).filter(this::reads);
  }

  @Override
  public Optional<String> deadLetters(String topic) {
    return ownLetters ? settings().deadLetterTopic(topic) : Optional.empty();
  }

  @Override
  public boolean deadLettersTo(String letters) {
    return ownLetters && settings().deadLettersTo(letters, this::reads);
  }

  @Override
  public String broker() {
    return "kafka at " + subscription.cluster();
  }

  @Override
  public <T> T audit(AuditProgress progress, Use<TopicAudit, T> use) throws InterruptedException {
    try (StoredRecords records = new StoredRecords(consumers)) {
      return use.with(operations(reader(records)).audit(store(), progress));
    }
  }

  @Override
  public <T> T redrive(Use<Redriver, T> use) throws InterruptedException {
    try (StoredRecords records = new StoredRecords(consumers);
        Redriver redriver = operations(reader(records)).redriver(store())) {
      return use.with(redriver);
    }
  }

  @Override
  public GroupReplay replay() {
    return operations(AuditSettings.of(
            settings().consumer(), record -> Optional.empty(), record -> Fingerprint.NONE))
        .replay(group());
  }

  private DedupStore store() {
    return new Stores(beans).of(settings());
  }

  private AuditSettings<ConsumerRecord<byte[], byte[]>> reader(StoredRecords records) {
    var expressions = new MessageExpressions<ConsumerRecord<Object, Object>>(fields, beans);
    IdExtractor<ConsumerRecord<Object, Object>> ids = expressions.id(settings());
    var fingerprint = expressions.fingerprint(settings());
    return AuditSettings.of(
        settings().consumer(),
        record -> ids.idOf(records.read(record)),
        record -> fingerprint.apply(records.read(record)));
  }

  private KafkaOperations<byte[], byte[]> operations(
      AuditSettings<ConsumerRecord<byte[], byte[]>> reader) {
    return KafkaOperations.of(
            reader, reading(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .withProducer(DeadLetterRoute.producer(beans, consumers.effective()));
  }

  private Map<String, Object> reading() {
    Map<String, Object> properties = consumers.effective();
    properties.values().removeIf(Objects::isNull);
    properties
        .keySet()
        .removeAll(
            List.of(ConsumerConfig.CLIENT_ID_CONFIG, ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG));
    return properties;
  }

  Map<String, Object> connection() {
    Map<String, Object> properties =
        ClientProperties.of(consumers.effective(), AdminClientConfig.configNames());
    properties.remove(AdminClientConfig.CLIENT_ID_CONFIG);
    return properties;
  }

  List<String> warnings(BrokerView brokers) throws InterruptedException {
    List<String> warnings = new ArrayList<>();
    List<String> existing = new ArrayList<>();
    for (String name : new TreeSet<>(names())) {
      if (brokers.topic(name).isEmpty()) {
        continue; // Spring reports it
      }
      existing.add(name);
      Optional<String> letters = deadLetters(name);
      if (letters.isPresent() && brokers.topic(letters.get()).isEmpty()) {
        warnings.add(settings().deadLettersSetting() + " is '"
            + settings().deadLetters().orElse("") + "', but topic " + letters.get()
            + " does not exist: a message of " + name + " that fails for good will block its"
            + " partition until you create it");
      }
    }
    new ReplayHorizon(store().retention())
        .warnings(brokers, existing)
        .forEach(warning -> warnings.add(warning + ". Set hapax.retention above it"));
    return warnings;
  }
}
