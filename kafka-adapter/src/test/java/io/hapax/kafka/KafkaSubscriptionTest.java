package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.health.PartitionStatus;
import io.hapax.health.PartitionStatus.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver reads and reports about its partitions, on a real broker. */
@Timeout(120)
class KafkaSubscriptionTest extends WithReceivers {

  private KafkaReceiver.Builder<String, String> reading(Map<String, Object> settings) {
    return KafkaReceiver.builder(receiver(this::record), with(settings));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_pattern_also_reads_a_topic_that_is_created_later(String protocol) throws Exception {
    String prefix = "by-pattern-" + group + "-";
    String first = Broker.topic(prefix, 1);
    Broker.send(first, 0, "a");
    open(reading(Map.of("group.protocol", protocol, "metadata.max.age.ms", 200))
        .topicPattern(Pattern.compile(prefix + ".*"))
        .start());
    awaitCommitted(first, 1);

    String later = Broker.topic(prefix, 1);
    Broker.send(later, 0, "b");

    awaitCommitted(later, 1);
    assertThat(effects).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void assigned_partitions_are_read_alone_and_their_offsets_committed(String protocol)
      throws Exception {
    String topic = Broker.topic(2);
    Map<String, Object> settings = Map.of("group.protocol", protocol);
    Set<TopicPartition> second = Set.of(new TopicPartition(topic, 1));
    Broker.send(topic, 0, "other");
    Broker.send(topic, 1, "a", "b");

    open(reading(settings).partitions(second).start());
    awaitCommitted(topic, 1, 2);
    closeAll();
    opened.clear();
    Broker.send(topic, 1, "c");
    open(reading(settings).partitions(second).start());

    awaitCommitted(topic, 1, 3);
    assertThat(effects).containsExactly("a", "b", "c");
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(-1);
  }

  @Test
  void a_partition_that_does_not_exist_is_refused_by_name() {
    String topic = Broker.topic(1);
    var builder = reading(Map.of()).partitions(List.of(new TopicPartition(topic, 1)));

    assertThatIllegalArgumentException()
        .isThrownBy(builder::start)
        .withMessageContaining("partitions holds '" + topic + "-1' but a partition must exist");
  }

  @Test
  void two_ways_to_subscribe_are_refused_and_so_is_none() {
    var both = reading(Map.of()).topics(List.of("orders"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> both.topicPattern(Pattern.compile("orders-.*")))
        .withMessage("topicPattern is orders-.* but topics is set, too: set only one of them");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading(Map.of()).partitions(List.of()))
        .withMessageContaining("partitions is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reading(Map.of()).start())
        .withMessageContaining("one of topics, topicPattern and partitions is required");
  }

  @Test
  void a_consumer_that_the_application_makes_gets_the_checked_properties() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a", "a");
    List<Object> autoCommits = new CopyOnWriteArrayList<>();

    open(reading(Map.of())
        .topics(List.of(topic))
        .consumer(properties -> {
          autoCommits.add(properties.get("enable.auto.commit"));
          return new KafkaConsumer<>(properties);
        })
        .start());

    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("a");
    assertThat(autoCommits).containsExactly("false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_static_member_continues_after_a_restart(String protocol) throws Exception {
    String topic = Broker.topic(1);
    Map<String, Object> member = protocol.equals("classic")
        ? Map.of(
            "group.instance.id", "one", "session.timeout.ms", 3000, "heartbeat.interval.ms", 500)
        : Map.of("group.instance.id", "one", "group.protocol", protocol);
    Broker.send(topic, 0, "a");
    KafkaReceiver<String, String> first = start(topic, member, this::record);
    awaitCommitted(topic, 1);
    first.close();

    start(topic, member, this::record);
    Broker.send(topic, 0, "b");

    await().until(() -> effects.equals(List.of("a", "b")));
  }

  private static PartitionStatus only(KafkaReceiver<?, ?> receiver) {
    assertThat(receiver.partitions()).hasSize(1);
    return receiver.partitions().get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_slow_handler_shows_in_flight_messages_backpressure_and_both_lags(String protocol)
      throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a", "b", "c", "d", "e", "f", "g", "h");
    KafkaReceiver<String, String> receiver =
        start(topic, Map.of("group.protocol", protocol, "max.poll.records", 2), this::hold);

    await().untilAsserted(() -> {
      PartitionStatus slow = only(receiver);
      assertThat(slow.partition()).isEqualTo(topic + "-0");
      assertThat(slow.inFlight()).isPositive();
      assertThat(slow.pause()).contains(Pause.BACKPRESSURE);
      assertThat(slow.commitLag()).isEqualTo(slow.inFlight() + slow.buffered());
      assertThat(slow.lag()).hasValue(8 - slow.commitLag());
    });
    goOn.countDown();

    await().untilAsserted(() -> {
      PartitionStatus done = only(receiver);
      assertThat(done.inFlight()).isZero();
      assertThat(done.pause()).isEmpty();
      assertThat(done.commitLag()).isZero();
      assertThat(done.lag()).hasValue(0);
    });
    receiver.close();
    assertThat(receiver.partitions()).isEmpty();
  }

  @Test
  void a_partition_that_waits_for_another_consumer_is_deferred() throws Exception {
    String topic = Broker.topic(1);
    claimedByForeigner("a", Duration.ofSeconds(30));
    Broker.send(topic, 0, "a");

    KafkaReceiver<String, String> receiver = start(topic, this::record);

    await().untilAsserted(() -> assertThat(only(receiver).pause()).contains(Pause.DEFERRED));
  }
}
