package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplayHorizonTest {

  private static final ReplayHorizon EIGHT_DAYS = new ReplayHorizon(Duration.ofDays(8));

  @Test
  void a_topic_that_forgets_before_the_store_does_is_fine() throws Exception {
    assertThat(EIGHT_DAYS.warnings(Broker.ADMIN, List.of(topic("retention.ms", days(8)))))
        .isEmpty();
  }

  @Test
  void a_topic_that_remembers_longer_than_the_store_is_named_with_both_values() throws Exception {
    String topic = topic("retention.ms", days(9));

    assertThat(EIGHT_DAYS.warnings(Broker.ADMIN, List.of(topic)))
        .singleElement()
        .asString()
        .contains(topic, "retention.ms PT216H", "PT192H", "run again");
  }

  @Test
  void a_topic_that_never_forgets_is_named() throws Exception {
    assertThat(EIGHT_DAYS.warnings(Broker.ADMIN, List.of(topic("retention.ms", "-1"))))
        .singleElement()
        .asString()
        .contains("retention.ms -1, so for ever, but");
  }

  @Test
  void a_topic_that_forgets_by_size_alone_gives_no_horizon_in_time() throws Exception {
    String topic = topic("retention.ms", "-1");
    Broker.configure(topic, Map.of("retention.bytes", "1000000"));

    assertThat(EIGHT_DAYS.warnings(Broker.ADMIN, List.of(topic)))
        .singleElement()
        .asString()
        .contains("for ever up to 1000000 bytes a partition");
  }

  @Test
  void a_compacted_topic_keeps_the_last_record_of_each_key_for_ever() throws Exception {
    assertThat(EIGHT_DAYS.warnings(Broker.ADMIN, List.of(topic("cleanup.policy", "compact"))))
        .singleElement()
        .asString()
        .contains("cleanup.policy compact");
  }

  private static String topic(String setting, String value) throws Exception {
    String topic = Broker.topic(1);
    Broker.configure(topic, Map.of(setting, value));
    return topic;
  }

  private static String days(int days) {
    return Long.toString(Duration.ofDays(days).toMillis());
  }
}
