package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.IdExtractor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records without a business id, in a topic that is deleted and created again. */
@Timeout(120)
class TopicCoordinatesTest extends WithReceivers {

  private void read(String topic, String group) throws Exception {
    IdExtractor<ConsumerRecord<String, String>> ids = IdExtractor.firstOf(
        List.of(KafkaIds.header("id"), KafkaIds.coordinates(Broker.producer(), List.of(topic))));
    var receiver = builder().id(ids).noFingerprint().leased(store, this::record);
    try (receiver;
        var reading = KafkaReceiver.start(receiver, Broker.consumer(group), List.of(topic))) {
      assertThat(reading.state()).isEqualTo(KafkaReceiver.State.RUNNING);
      awaitCommitted(topic, group, 0, 1);
    }
  }

  @Test
  void a_record_of_a_topic_created_anew_is_not_taken_for_one_of_the_old_topic() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "old");
    read(topic, group);
    read(topic, group + "-second");
    assertThat(effects).containsExactly("old");

    Broker.createAnew(topic);
    Broker.send(topic, 0, "new");
    read(topic, group);

    assertThat(effects).containsExactly("old", "new");
  }

  @Test
  void a_topic_that_does_not_exist_has_no_id() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaIds.coordinates(Broker.producer(), List.of("no-such-topic")))
        .withMessageContaining("topics holds 'no-such-topic'");
  }
}
