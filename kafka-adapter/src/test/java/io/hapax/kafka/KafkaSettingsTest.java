package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import io.hapax.kafka.internal.DurableProducer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {

  private static final String CLIENT = "org.apache.kafka.clients.consumer.";

  /** Loads Hapax's Kafka classes beside a client that has no share consumer. */
  private static final class OldClient extends ClassLoader {

    private static final List<String> MISSING = List.of(
        CLIENT + "AcknowledgeType",
        CLIENT + "AcknowledgementCommitCallback",
        CLIENT + "KafkaShareConsumer",
        CLIENT + "ShareConsumer");

    OldClient() {
      super(KafkaShareReceiver.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (MISSING.contains(name)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.hapax.kafka.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream stream = getParent().getResourceAsStream(file)) {
        if (stream == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = stream.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "yes"})
  void auto_commit_is_refused_by_name(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.of(with("enable.auto.commit", value)))
        .withMessageContaining("enable.auto.commit is " + value);
  }

  @Test
  void a_new_group_starts_at_the_beginning_unless_latest_is_set_and_commits_nothing_by_itself() {
    assertThat(ConsumerSettings.of(group()).properties())
        .containsEntry("enable.auto.commit", "false")
        .containsEntry("auto.offset.reset", "earliest")
        .containsEntry("isolation.level", "read_committed");
    assertThat(ConsumerSettings.of(with("auto.offset.reset", "latest")).properties())
        .containsEntry("auto.offset.reset", "latest");
  }

  @Test
  void a_consumer_made_elsewhere_must_disable_auto_commit_explicitly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.ofForeignConsumer(group()))
        .withMessageContaining("enable.auto.commit is not set");
  }

  @ParameterizedTest
  @CsvSource({"acks, 1, all", "acks, 0, all", "enable.idempotence, false, true"})
  void a_dead_letter_producer_that_may_lose_records_is_refused(
      String name, String value, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaDeadLetterPublisher.to("dead", Map.of(name, value)))
        .withMessageContaining(name + " is " + value + " but must be " + rule);
  }

  @Test
  void a_dead_letter_producer_waits_for_all_replicas_by_default() {
    assertThat(DurableProducer.durable(Map.of()))
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", "true");
  }

  @Test
  void a_group_is_required() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.of(Map.of()))
        .withMessageContaining("group.id");
  }

  @Test
  void properties_objects_are_read_too() {
    Properties properties = new Properties();
    properties.setProperty("group.id", "orders");
    properties.setProperty("max.poll.records", "7");

    assertThat(ConsumerSettings.of(properties).maxPollRecords()).isEqualTo(7);
  }

  private static Map<String, Object> group() {
    return Map.of("group.id", "orders");
  }

  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> properties = new HashMap<>(group());
    properties.put(name, value);
    return properties;
  }

  @Test
  void a_client_without_renewals_is_refused_and_named() throws Exception {
    Class<?> receiver = new OldClient().loadClass(KafkaShareReceiver.class.getName());

    assertThat(receiver.getClassLoader()).isInstanceOf(OldClient.class);
    assertThatThrownBy(() -> receiver
            .getMethod("builder", IdempotentReceiver.class, Map.class)
            .invoke(null, null, Map.of()))
        .rootCause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("KafkaShareReceiver needs kafka-clients 4.2 or newer, but \\d.* is on"
            + " the class path");
  }

  @Test
  void settings_that_would_lose_messages_are_refused() {
    refused("share.acknowledgement.mode", "implicit", "must be explicit");
    refused("share.acquire.mode", "batch_optimized", "must be record_limit");
    refused("group.id", "", "a consumer group is required");
  }

  private static void refused(String name, String value, String rule) {
    Map<String, Object> properties = new HashMap<>(Map.of("group.id", "orders"));
    properties.put(name, value);
    assertThatThrownBy(() -> ShareGroup.of(properties)).hasMessageContainingAll(name, rule);
  }
}
