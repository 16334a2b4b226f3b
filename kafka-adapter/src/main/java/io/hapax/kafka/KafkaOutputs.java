package io.hapax.kafka;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends records in the Kafka transaction that also holds the offset of the message. Readers with
 * {@code isolation.level=read_committed} see them once the transaction is committed. If the handler
 * or a send fails, they never see them.
 *
 * <p>Valid only while the handler runs. Other threads may use it meanwhile.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaOutputs<K, V> {

  private final Producer<K, V> producer;
  private final AtomicReference<Exception> error = new AtomicReference<>();
  private boolean closed;

  KafkaOutputs(Producer<K, V> producer) {
    this.producer = producer;
  }

  /**
   * Sends a record. The handler need not wait for the result: a send that fails, now or later,
   * aborts the transaction, even if the handler ignores the error.
   *
   * @param record the record
   * @return its offset, once the broker has it; the transaction is open then
   * @throws IllegalStateException if the handler has ended
   * @throws org.apache.kafka.common.KafkaException if the record cannot be sent
   */
  public synchronized Future<RecordMetadata> send(ProducerRecord<K, V> record) {
    if (closed) {
      throw new IllegalStateException(
          "the handler has ended: a record sent now would belong to another transaction");
    }
    try {
      return producer.send(record, (metadata, failure) -> {
        if (failure != null) { // on the producer's thread, which must not wait for a lock
          error.compareAndSet(null, failure);
        }
      });
    } catch (RuntimeException e) {
      error.compareAndSet(null, e);
      throw e;
    }
  }

  synchronized void close() {
    closed = true;
  }

  Optional<Exception> error() {
    return Optional.ofNullable(error.get());
  }
}
