package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The header with which a message passes retry topics. */
class CarriedIdentityTest {

  @Test
  void a_record_without_an_id_or_a_fingerprint_carries_none_and_no_foreign_one() {
    ConsumerRecord<Object, Object> record = new ConsumerRecord<>("orders", 0, 7, "key", "value");
    record
        .headers()
        .add("hapax-retried-billing", "another message".getBytes(StandardCharsets.UTF_8));
    CarriedIdentity identity = new CarriedIdentity(
        "billing",
        Set.of("orders"),
        unread -> {
          throw new ClassCastException("no order");
        },
        unread -> {
          throw new IllegalStateException("no total");
        });

    identity.addTo(record);

    assertThat(record.headers()).isEmpty();
  }
}
