package io.hapax.bench;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.Fingerprint;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Starts the subjects that are a {@link KafkaReceiver}, with default settings. */
final class KafkaReceivers {

  private final Servers servers;

  KafkaReceivers(Servers servers) {
    this.servers = servers;
  }

  /**
   * Starts a receiver.
   *
   * @param handled receives each record after its handler
   */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic topic,
      Map<String, Object> properties,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    String scope = subject.replays() ? Messages.SCOPE : String.valueOf(properties.get("group.id"));
    IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver = receiver(
        subject,
        IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder(scope)
            .id(KafkaIds.key())
            .fingerprint(subject.replays() ? KafkaReceivers::ofKnown : KafkaFingerprints.value()),
        handled);
    try {
      KafkaReceiver<byte[], byte[]> reading =
          KafkaReceiver.start(receiver, properties, List.of(topic.name()));
      return () -> {
        reading.close();
        receiver.close();
        reading.failure().ifPresent(cause -> {
          throw new IllegalStateException(subject.title() + " has died", cause);
        });
      };
    } catch (RuntimeException e) {
      receiver.close();
      throw e;
    }
  }

  /**
   * Returns the fingerprint of the value of a known message. Known marks have the same one for all
   * messages, so this computes another and does not use it.
   */
  static Fingerprint ofKnown(ConsumerRecord<byte[], byte[]> record) {
    Fingerprint ofValue = KafkaFingerprints.<byte[], byte[]>value().apply(record);
    return ofValue.equals(Fingerprint.NONE) ? Fingerprint.NONE : Messages.FINGERPRINT;
  }

  private IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver(
      KafkaSubject subject,
      ReceiverBuilder<ConsumerRecord<byte[], byte[]>> builder,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    return switch (subject) {
      case MEMORY ->
        builder.leased(MemoryTarget.empty(), delivery -> handled.accept(delivery.message()));
      case MEMORY_BATCH ->
        builder.leasedBatches(
            MemoryTarget.empty(), deliveries -> records(deliveries).forEach(handled));
      case REDIS, KNOWN_REDIS ->
        builder.leased(servers.redis().store(), delivery -> handled.accept(delivery.message()));
      case POSTGRES_LEASED ->
        builder.leased(servers.postgres().store(), delivery -> handled.accept(delivery.message()));
      case POSTGRES_BATCH, KNOWN_POSTGRES ->
        builder.transactional(servers.postgres().store(), (connection, deliveries) -> {
          List<ConsumerRecord<byte[], byte[]>> records = records(deliveries);
          KafkaEffects.writeAll(connection, records);
          records.forEach(handled);
        });
      case POSTGRES_EACH ->
        builder.transactional(
            servers.postgres().store(), TransactionalHandler.forEach((connection, delivery) -> {
              KafkaEffects.writeOne(connection, delivery.message());
              handled.accept(delivery.message());
            }));
      default -> throw new IllegalArgumentException(subject + " is no receiver");
    };
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(
      List<Delivery<ConsumerRecord<byte[], byte[]>>> deliveries) {
    return deliveries.stream().map(Delivery::message).toList();
  }
}
