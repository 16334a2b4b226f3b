package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.kafka.internal.DurableProducer;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "yes"})
  void auto_commit_is_refused_by_name(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.of(with("enable.auto.commit", value)))
        .withMessageContaining("enable.auto.commit is " + value);
  }

  @Test
  void auto_commit_is_switched_off_where_nothing_is_said() {
    assertThat(ConsumerSettings.of(group()).properties())
        .containsEntry("enable.auto.commit", "false");
  }

  @Test
  void a_consumer_made_elsewhere_must_disable_auto_commit_explicitly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.ofForeignConsumer(group()))
        .withMessageContaining("enable.auto.commit is not set");
  }

  @Test
  void a_new_group_starts_at_the_beginning_and_sees_committed_records_only() {
    assertThat(ConsumerSettings.of(group()).properties())
        .containsEntry("auto.offset.reset", "earliest")
        .containsEntry("isolation.level", "read_committed");
  }

  @Test
  void latest_is_taken_by_explicit_word() {
    assertThat(ConsumerSettings.of(with("auto.offset.reset", "latest")).properties())
        .containsEntry("auto.offset.reset", "latest");
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
}
