package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hapax.kafka.internal.BrokerView;
import io.hapax.kafka.internal.ReplayHorizon;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store of these receivers keeps marks for eight days, and the brokers offsets for seven. */
@Timeout(60)
class RetentionCheckTest extends WithReceivers {

  private static final String NINE_DAYS = Long.toString(Duration.ofDays(9).toMillis());

  private KafkaReceiver.Builder<String, String> reading(
      String topic, Map<String, Object> settings, RetentionCheck check) {
    return KafkaReceiver.<String, String>builder(receiver(this::record), with(settings))
        .topics(List.of(topic))
        .retentionCheck(check);
  }

  @Test
  void a_topic_that_outlives_the_marks_refuses_the_start_if_asked_to() throws Exception {
    String topic = Broker.topic(Map.of("retention.ms", NINE_DAYS));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading(topic, Map.of(), RetentionCheck.REFUSE).start())
        .withMessageContaining("retentionCheck is REFUSE but: Topic " + topic)
        .withMessageContaining("after PT168H (offsets.retention.minutes)")
        .withMessageContaining("starts such a replay by itself");
  }

  @Test
  void expired_offsets_that_skip_messages_refuse_the_start() {
    String topic = Broker.topic(1);
    Map<String, Object> latest = Map.of("auto.offset.reset", "latest");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading(topic, latest, RetentionCheck.REFUSE).start())
        .withMessageContaining("auto.offset.reset latest the consumer then skips messages");
  }

  @Test
  void times_that_fit_and_a_check_that_is_off_let_the_receiver_start() throws Exception {
    String fits = Broker.topic(1);
    String outlives = Broker.topic(Map.of("retention.ms", NINE_DAYS));

    assertThat(open(reading(fits, Map.of(), RetentionCheck.REFUSE).start()).state())
        .isEqualTo(KafkaReceiver.State.RUNNING);
    assertThat(open(reading(outlives, Map.of(), RetentionCheck.OFF).start()).state())
        .isEqualTo(KafkaReceiver.State.RUNNING);
  }

  @Test
  void brokers_that_do_not_answer_refuse_the_start_only_if_asked_to() {
    Map<String, Object> nowhere = Map.of("bootstrap.servers", "localhost:1");

    assertThatIllegalStateException()
        .isThrownBy(() -> reading("orders", nowhere, RetentionCheck.REFUSE).start())
        .withMessageContaining("retentionCheck is REFUSE but the brokers did not answer");
  }

  private static List<String> warnings(String topic) throws Exception {
    try (BrokerView brokers = BrokerView.open(Broker.consumer(topic), Duration.ofSeconds(30))) {
      return new ReplayHorizon(Duration.ofDays(8)).warnings(brokers, List.of(topic));
    }
  }

  @Test
  void a_topic_that_forgets_before_the_store_does_is_fine() throws Exception {
    assertThat(warnings(Broker.topic(Map.of("retention.ms", "691200000")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "retention.ms, 777600000, 'retention.ms PT216H, but the store keeps marks for PT192H'",
    "retention.ms, -1, 'retention.ms -1, so for ever, but'",
    "cleanup.policy, compact, cleanup.policy compact"
  })
  void a_topic_that_remembers_longer_than_the_store_is_named_with_both_values(
      String setting, String value, String text) throws Exception {
    String topic = Broker.topic(Map.of(setting, value));

    assertThat(warnings(topic)).singleElement().asString().contains(topic, text, "run again");
  }

  @Test
  void a_topic_that_forgets_by_size_alone_gives_no_horizon_in_time() throws Exception {
    assertThat(warnings(Broker.topic(Map.of("retention.ms", "-1", "retention.bytes", "1000000"))))
        .singleElement()
        .asString()
        .contains("for ever up to 1000000 bytes a partition");
  }
}
