package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.mark.Fingerprint;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.listener.TopicOperations;
import io.hapax.store.DedupStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Operations on the topics of a listener. It reads and publishes records as bytes, and deserializes
 * copies of them for the expressions of the listener.
 */
final class KafkaTopicOperations implements TopicOperations {

  private final Subscription subscription;
  private final ListenerSettings settings;
  private final ConsumerOverrides consumers;
  private final ListableBeanFactory beans;
  private final KafkaFields fields;

  KafkaTopicOperations(
      Subscription subscription,
      ConsumerOverrides consumers,
      ListableBeanFactory beans,
      KafkaFields fields) {
    this.subscription = subscription;
    this.settings = subscription.settings();
    this.consumers = consumers;
    this.beans = beans;
    this.fields = fields;
  }

  @Override
  public String broker() {
    Object servers = consumers.effective().get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
    return "kafka at "
        + (servers instanceof Collection<?> several
            ? String.join(",", several.stream().map(String::valueOf).toList())
            : servers);
  }

  @Override
  public TopicAudit audit(AuditProgress progress) {
    return new ListenerAudit(
        () -> new StoredRecords(consumers),
        records -> operations(records).audit(store(), progress));
  }

  @Override
  public Redriver redriver() {
    StoredRecords records = new StoredRecords(consumers);
    try {
      return new RecordsRedriver(operations(records).redriver(store()), records);
    } catch (RuntimeException e) {
      records.close();
      throw e;
    }
  }

  @Override
  public GroupReplay group() {
    return operations(AuditSettings.of(
            settings.consumer(), record -> Optional.empty(), record -> Fingerprint.NONE))
        .replay(subscription.group());
  }

  private DedupStore store() {
    return new Stores(beans).of(settings);
  }

  private KafkaOperations<byte[], byte[]> operations(StoredRecords records) {
    var expressions = new MessageExpressions<ConsumerRecord<Object, Object>>(fields, beans);
    IdExtractor<ConsumerRecord<Object, Object>> ids = expressions.id(settings);
    var fingerprint = expressions.fingerprint(settings);
    return operations(AuditSettings.of(
        settings.consumer(),
        record -> ids.idOf(records.received(record)),
        record -> fingerprint.apply(records.received(record))));
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
}
