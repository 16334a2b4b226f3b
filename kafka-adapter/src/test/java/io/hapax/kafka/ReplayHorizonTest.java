package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ReplayHorizonTest {

  private static List<String> warnings(String topic) throws Exception {
    try (BrokerView brokers = BrokerView.open(Broker.consumer(topic), Duration.ofSeconds(30))) {
      return new ReplayHorizon(Duration.ofDays(8)).warnings(brokers, List.of(topic));
    }
  }

  @Test
  void a_topic_that_forgets_before_the_store_does_is_fine() throws Exception {
    assertThat(warnings(topic("retention.ms", "691200000"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "retention.ms, 777600000, 'retention.ms PT216H, but the store keeps marks for PT192H'",
    "retention.ms, -1, 'retention.ms -1, so for ever, but'",
    "cleanup.policy, compact, cleanup.policy compact"
  })
  void a_topic_that_remembers_longer_than_the_store_is_named_with_both_values(
      String setting, String value, String text) throws Exception {
    String topic = topic(setting, value);

    assertThat(warnings(topic)).singleElement().asString().contains(topic, text, "run again");
  }

  @Test
  void a_topic_that_forgets_by_size_alone_gives_no_horizon_in_time() throws Exception {
    String topic = topic("retention.ms", "-1");
    Broker.configure(topic, Map.of("retention.bytes", "1000000"));

    assertThat(warnings(topic))
        .singleElement()
        .asString()
        .contains("for ever up to 1000000 bytes a partition");
  }

  private static String topic(String setting, String value) throws Exception {
    String topic = Broker.topic(1);
    Broker.configure(topic, Map.of(setting, value));
    return topic;
  }
}
