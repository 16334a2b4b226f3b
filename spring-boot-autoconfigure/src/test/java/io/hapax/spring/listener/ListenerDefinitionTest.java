package io.hapax.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Text;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which dead-letter topics belong to a listener. */
class ListenerDefinitionTest {

  private static boolean deadLettersTo(String template, String letters) {
    ListenerDefinition settings =
        Text.settings("billing", "key", "value", Optional.of(template), Consumer.DEFAULT);
    return settings.deadLettersTo(letters, topic -> topic.startsWith("orders"));
  }

  @Test
  void a_dead_letter_topic_belongs_to_a_listener_that_reads_its_source() {
    assertThat(deadLettersTo("{topic}-dlt", "orders-eu-dlt")).isTrue();
    assertThat(deadLettersTo("dlt-{topic}", "dlt-orders")).isTrue();
    assertThat(deadLettersTo("{topic}-dlt", "payments-dlt")).isFalse();
    assertThat(deadLettersTo("{topic}-dlt", "orders-eu")).isFalse();
    assertThat(deadLettersTo("{topic}-dlt", "-dlt")).isFalse();
    assertThat(deadLettersTo("dlt-{topic}", "xyz-orders")).isFalse();
    assertThat(deadLettersTo("dlt-{topic}", "x")).isFalse();
  }

  @Test
  void a_dead_letter_topic_of_all_topics_has_one_name() {
    assertThat(deadLettersTo("dead", "dead")).isTrue();
    assertThat(deadLettersTo("dead", "orders")).isFalse();
  }
}
