package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that reads bytes and deserializes them itself. */
@Timeout(60)
class KafkaConversionErrorTest {

  private final List<DeadLetter<ConsumerRecord<String, byte[]>>> buried =
      new CopyOnWriteArrayList<>();

  private interface Conversion {
    void convert(byte[] value);
  }

  private void receive(Conversion conversion) throws InterruptedException {
    ConsumerRecord<String, byte[]> record =
        new ConsumerRecord<>("orders", 0, 17, "order-17", new byte[3]);
    try (IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver =
        IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder("orders")
            .id(KafkaIds.key())
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(buried::add)
            .leased(
                new InMemoryDedupStore(),
                delivery -> conversion.convert(delivery.message().value()))) {
      receiver.receive(
          List.of(new Incoming<>(
              Handout.always(record),
              "orders-0",
              true,
              "orders-0@17",
              false,
              Incoming.NO_TIMESTAMP)),
          Duration.ofSeconds(30));
    }
  }

  @Test
  void unreadable_bytes_are_dead_lettered_after_one_attempt() throws Exception {
    receive(value -> {
      try (IntegerDeserializer integers = new IntegerDeserializer()) {
        integers.deserialize("orders", value);
      }
    });

    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.NOT_RETRYABLE);
  }

  @Test
  void a_schema_registry_that_did_not_answer_is_tried_again() throws Exception {
    receive(value -> {
      throw new SerializationException("no schema 7", new NoAnswer());
    });

    assertThat(buried).isEmpty();
  }

  /** As a registry's client throws it. */
  private static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
