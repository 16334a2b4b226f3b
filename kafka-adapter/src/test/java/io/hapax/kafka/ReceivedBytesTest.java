package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A dead letter has the bytes of its record, whatever the receiver's deserializers make of them.
 */
@Timeout(120)
class ReceivedBytesTest extends WithReceivers {

  private static final byte[] KEY = {'i', (byte) 0xE9, (byte) 0xFF};
  private static final byte[] VALUE = {'o', (byte) 0xE9, (byte) 0xC0, 1};

  private final String topic = Broker.topic(1);
  private final String graveyard = Broker.topic(1);

  /** Decrypts in place, and removes a header as some deserializers do. */
  public static final class Decrypting implements Deserializer<String> {

    @Override
    public String deserialize(String ofTopic, byte[] data) {
      throw new AssertionError("the client has headers");
    }

    @Override
    public String deserialize(String ofTopic, Headers headers, byte[] data) {
      headers.remove("type");
      for (int i = 0; i < data.length; i++) {
        data[i] ^= 17;
      }
      return new String(data, StandardCharsets.ISO_8859_1);
    }
  }

  private Map<String, Object> reading(String kind) {
    return with(
        switch (kind) {
          case "latin" ->
            Map.of(
                "key.deserializer.encoding",
                "ISO-8859-1",
                "value.deserializer.encoding",
                "ISO-8859-1");
          case "decrypting" ->
            Map.of("key.deserializer", Decrypting.class, "value.deserializer", Decrypting.class);
          default -> Map.of();
        });
  }

  private IdempotentReceiver<ConsumerRecord<String, String>> rejecting(boolean hasId) {
    KafkaDeadLetterPublisher<String, String> publisher =
        open(KafkaDeadLetterPublisher.to(graveyard, Broker.producer()));
    return open(builder()
        .id(hasId ? KafkaIds.header("id") : record -> Optional.empty())
        .deadLetters(publisher)
        .leased(store, delivery -> {
          throw new RejectedMessageException("cannot be billed");
        }));
  }

  @ParameterizedTest
  @CsvSource({
    "utf-8, true", "latin, true", "decrypting, true",
    "utf-8, false", "latin, false", "decrypting, false"
  })
  void a_dead_letter_has_the_received_key_value_and_headers(String kind, boolean hasId)
      throws Exception {
    send();
    open(KafkaReceiver.start(rejecting(hasId), reading(kind), List.of(topic)));

    awaitCommitted(topic, 1);
    assertLetter();
  }

  @Test
  void so_has_that_of_a_share_consumer() throws Exception {
    ShareGroups.prepare(group);
    send();
    open(KafkaShareReceiver.start(rejecting(true), reading("decrypting"), List.of(topic)));

    await().until(() -> ShareGroups.lag(group, topic) == 0);
    assertLetter();
  }

  @Test
  void serializers_and_deserializers_get_what_config_providers_say(@TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("codec.properties"), "encoding=ISO-8859-1");
    Map<String, Object> codec = Map.of(
        "config.providers",
        "file",
        "config.providers.file.class",
        FileConfigProvider.class.getName(),
        "value.deserializer.encoding",
        "${file:" + file + ":encoding}",
        "value.serializer.encoding",
        "${file:" + file + ":encoding}");
    Broker.send(topic, 0, "\u00e9");
    start(topic, codec, this::record);

    await().until(() -> effects.equals(List.of("\u00c3\u00a9")));

    open(KafkaDeadLetterPublisher.<String, String>to(graveyard, Broker.producer(codec)))
        .publish(new DeadLetter<>(
            new ConsumerRecord<>(topic, 0, 0, "17", "\u00e9"),
            "orders",
            "17",
            topic + "-0@0",
            1,
            DeadLetter.Kind.NOT_RETRYABLE,
            "",
            false));
    assertThat(Broker.readBytes(graveyard).get(0).value()).containsExactly(0xE9);
  }

  private void assertLetter() {
    ConsumerRecord<byte[], byte[]> letter = Broker.readBytes(graveyard).get(0);
    assertThat(letter.key()).isEqualTo(KEY);
    assertThat(letter.value()).isEqualTo(VALUE);
    assertThat(letter.headers().lastHeader("type").value()).containsExactly('t');
    assertThat(letter.headers()).noneMatch(header -> header.key().startsWith("hapax-kept"));
  }

  private void send() throws Exception {
    ByteArraySerializer bytes = new ByteArraySerializer();
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, KEY, VALUE);
    record.headers().add(new RecordHeader("type", new byte[] {'t'}));
    record.headers().add("id", UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Broker.producer(), bytes, bytes)) {
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }
}
