package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.kafka.internal.DeadLetterRecord;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A header that was left out keeps a dead letter from being redriven, whatever its name. */
class LeftOutHeadersTest {

  @ParameterizedTest
  @ValueSource(strings = {"a,b", ""})
  void a_header_whose_name_is_odd_is_missed(String name) {
    Headers headers = new RecordHeaders();
    headers.add("a", new byte[1]).add("b", new byte[1]).add(name, new byte[1_000_000]);
    ProducerRecord<byte[], byte[]> head = DeadLetterRecord.head(
        new ProducerRecord<byte[], byte[]>("dead", null, null, new byte[] {1}, headers), -1);

    assertThat(head.headers().lastHeader(name)).as("left out").isNull();
    assertThat(DeadLetterRecord.missing(new ConsumerRecord<>(
            "dead",
            0,
            0,
            0,
            TimestampType.CREATE_TIME,
            -1,
            1,
            (byte[]) null,
            head.value(),
            head.headers(),
            Optional.empty())))
        .isPresent();
  }
}
