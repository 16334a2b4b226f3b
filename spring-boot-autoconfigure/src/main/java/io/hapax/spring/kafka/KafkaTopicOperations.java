package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.kafka.KafkaRedelivery;
import io.hapax.kafka.KafkaRedriver;
import io.hapax.kafka.KafkaReplay;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Stores;
import io.hapax.spring.listener.TopicOperations;
import io.hapax.store.DedupStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
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
    return new ListenerAudit(store(), settings, expressions(), consumers, reading(), progress);
  }

  @Override
  public Redriver redriver(RedriveSettings rules) {
    StoredRecords records = new StoredRecords(consumers);
    KafkaRedriver<byte[], byte[]> redriver = connected(
        records,
        () -> KafkaRedriver.of(store(), settings.consumer(), ids(records), rules, producer()));
    return new Redriver() {
      @Override
      public RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
          throws InterruptedException {
        return redriver.plan(reading(), letters, from, which);
      }

      @Override
      public RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
          throws InterruptedException {
        return redriver.redrive(reading(), letters, from, which);
      }

      @Override
      public void close() {
        redriver.close();
        records.close();
      }
    };
  }

  @Override
  public Redelivery redelivery(MarkOperations marks) {
    StoredRecords records = new StoredRecords(consumers);
    KafkaRedelivery<byte[], byte[]> redelivery =
        connected(records, () -> KafkaRedelivery.of(marks, ids(records), reading(), producer()));
    return new Redelivery() {
      @Override
      public RedriveResult plan(String id) throws InterruptedException {
        return redelivery.plan(id);
      }

      @Override
      public RedriveResult execute(String id) throws InterruptedException {
        return redelivery.execute(id);
      }

      @Override
      public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
        return redelivery.deadLetter(id, topic);
      }

      @Override
      public void close() {
        redelivery.close();
        records.close();
      }
    };
  }

  @Override
  public GroupReplay group() {
    return KafkaReplay.of(reading(), subscription.group());
  }

  /** Connects, and closes the deserializers if that fails. */
  private static <T> T connected(StoredRecords records, Supplier<T> connection) {
    try {
      return connection.get();
    } catch (RuntimeException e) {
      records.close();
      throw e instanceof KafkaException
          ? new AuditFailedException("the brokers cannot be reached: " + e.getMessage(), e)
          : e;
    }
  }

  private DedupStore store() {
    return new Stores(beans).of(settings);
  }

  private MessageExpressions<ConsumerRecord<Object, Object>> expressions() {
    return new MessageExpressions<>(fields, beans);
  }

  private IdExtractor<ConsumerRecord<byte[], byte[]>> ids(StoredRecords records) {
    IdExtractor<ConsumerRecord<Object, Object>> ids = expressions().id(settings);
    return record -> ids.idOf(records.received(record));
  }

  private Map<String, Object> producer() {
    return DeadLetterRoute.producer(beans, consumers.effective());
  }

  private Map<String, Object> reading() {
    Map<String, Object> properties = consumers.effective();
    properties.values().removeIf(Objects::isNull);
    properties
        .keySet()
        .removeAll(
            List.of(ConsumerConfig.CLIENT_ID_CONFIG, ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG));
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }
}
