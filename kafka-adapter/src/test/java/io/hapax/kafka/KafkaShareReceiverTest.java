package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.MessageHandler;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Share groups on a real broker. Locks last two seconds, so that what is not renewed is lost. */
@Timeout(120)
class KafkaShareReceiverTest extends WithReceivers {

  private static final Duration LONGER_THAN_A_LOCK = Duration.ofSeconds(3);

  private final List<Integer> deliveries = new CopyOnWriteArrayList<>();

  @Test
  void a_message_that_the_producer_sent_twice_takes_effect_once() throws Exception {
    String topic = sharedTopic();
    Broker.send(topic, 0, "a", "b", "a", "c", "b");

    share(topic, this::record);

    awaitAllAccepted(topic);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_record_that_its_handler_changed_is_tried_again_as_it_was_sent() throws Exception {
    String topic = sharedTopic();
    Broker.send(topic, 0, "a");
    List<String> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<ConsumerRecord<String, Order>> receiver =
        open(IdempotentReceiver.<ConsumerRecord<String, Order>>builder("orders")
            .id(KafkaIds.value(Order::toString))
            .noFingerprint()
            .retry(new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(100)))
            .leased(store, delivery -> {
              seen.add(delivery.message().value().toString());
              delivery.message().value().status = "ACCEPT";
              if (seen.size() < 3) {
                throw new IllegalStateException("fails twice");
              }
            }));

    Map<String, Object> properties = with(Map.of("value.deserializer", Order.Reader.class));
    open(KafkaShareReceiver.builder(receiver, properties).topics(List.of(topic)).start());

    awaitAllAccepted(topic);
    assertThat(seen).containsExactly("a: NEW", "a: NEW", "a: NEW");
  }

  @Test
  @DisplayName("Invariant 1: nothing is accepted before it is done")
  void a_handler_slower_than_the_lock_keeps_its_record() throws Exception {
    String topic = sharedTopic();
    Broker.send(topic, 0, "slow");

    share(topic, this::hold);
    awaitRunning();
    await()
        .during(LONGER_THAN_A_LOCK)
        .atMost(BOUND)
        .until(() -> ShareGroups.lag(group, topic) != 0);
    goOn.countDown();

    awaitAllAccepted(topic);
    assertThat(effects).containsExactly("slow");
    assertThat(deliveries).containsOnly(1);
  }

  @Test
  void a_failed_message_is_retried_and_dead_lettered_in_one_delivery() throws Exception {
    String topic = sharedTopic();
    List<DeadLetter<ConsumerRecord<String, String>>> dead = new CopyOnWriteArrayList<>();
    Broker.send(topic, 0, "a", "poison");

    share(
        topic,
        open(builder()
            .retry(new RetrySettings(2, LONGER_THAN_A_LOCK, LONGER_THAN_A_LOCK))
            .deadLetters(dead::add)
            .leased(store, delivery -> {
              effects.add(delivery.message().value());
              if (delivery.message().value().equals("poison")) {
                throw new IllegalStateException("never");
              }
            })));
    await().until(() -> effects.contains("poison"));
    Broker.send(topic, 0, "b", "c");

    awaitAllAccepted(topic);
    assertThat(effects).containsExactlyInAnyOrder("a", "poison", "b", "c", "poison");
    assertThat(effects).endsWith("poison"); // the others did not wait for it
    assertThat(dead).extracting(DeadLetter::attempts).containsExactly(2);
    assertThat(deliveries).containsOnly(1);
  }

  @Test
  void a_busy_message_uses_neither_an_attempt_nor_a_delivery() throws Exception {
    String topic = sharedTopic();
    stopClock();
    claimedByForeigner("b", Duration.ofSeconds(5)); // longer than two locks
    Broker.send(topic, 0, "a", "b", "c");
    List<Integer> attempts = new CopyOnWriteArrayList<>();

    KafkaShareReceiver<String, String> receiver = share(topic, delivery -> {
      attempts.add(delivery.attempt());
      record(delivery);
    });
    await().until(() -> receiver.problems().toString().contains("BUSY"));
    await().until(() -> effects.size() == 2);
    skew.set(Duration.ofMinutes(1));

    awaitAllAccepted(topic);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(attempts).containsOnly(1);
    assertThat(deliveries).containsOnly(1);
  }

  @Test
  void two_receivers_share_one_partition_and_repeat_nothing() throws Exception {
    String topic = sharedTopic();
    List<String> sent = IntStream.range(0, 200).mapToObj(i -> "m" + i).toList();
    Set<Integer> working = new HashSet<>();
    for (int receiver = 0; receiver < 2; receiver++) {
      int me = receiver;
      share(topic, delivery -> {
        synchronized (working) {
          working.add(me);
        }
        record(delivery);
      });
    }
    await().until(() -> {
      Broker.send(topic, 0, "m" + effects.size());
      return working.size() == 2;
    });
    Broker.send(topic, 0, sent.toArray(String[]::new));

    awaitAllAccepted(topic);
    assertThat(effects).doesNotHaveDuplicates().containsAll(sent);
  }

  @Test
  void closing_accepts_what_runs_and_gives_back_what_has_not_started() throws Exception {
    String topic = sharedTopic();
    Broker.send(topic, 0, "a", "b", "c");
    KafkaShareReceiver<String, String> first =
        share(topic, open(builder().workers(1).leased(store, this::hold)));
    awaitRunning();
    await().until(() -> deliveries.size() == 3);

    Thread closing = new Thread(first::close);
    closing.start();
    await().until(() -> claimed() == 1); // the one that runs
    goOn.countDown();
    closing.join(BOUND.toMillis());

    assertThat(first.state()).isEqualTo(KafkaReceiver.State.CLOSED);
    assertThat(effects).hasSize(1);
    share(topic, this::record);
    awaitAllAccepted(topic);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(deliveries).containsExactly(1, 1, 1, 2, 2);
  }

  @Test
  void a_handler_that_outlives_the_drain_finishes_and_is_not_repeated() throws Exception {
    String topic = sharedTopic();
    stopClock();
    Broker.send(topic, 0, "a");
    KafkaShareReceiver<String, String> first =
        open(KafkaShareReceiver.builder(receiver(this::hold), Broker.consumer(group))
            .topics(List.of(topic))
            .drainTimeout(Duration.ZERO)
            .start());
    awaitRunning();

    first.close();
    assertThat(ShareGroups.lag(group, topic)).isEqualTo(1);
    share(topic, this::record);
    await().until(() -> deliveries.contains(2));
    goOn.countDown();

    awaitAllAccepted(topic);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_message_that_failed_is_dead_lettered_before_the_broker_drops_it() throws Exception {
    String topic = sharedTopic();
    ShareGroups.configure(group, Map.of("share.delivery.count.limit", "2"));
    List<DeadLetter<ConsumerRecord<String, String>>> dead = new CopyOnWriteArrayList<>();
    Broker.send(topic, 0, "poison");
    KafkaShareReceiver<String, String> first = share(
        topic,
        open(builder()
            .retry(new RetrySettings(9, Duration.ofMinutes(1), Duration.ofMinutes(1)))
            .leased(store, delivery -> {
              throw new IllegalStateException("not yet");
            })));
    await().until(() -> first.problems().toString().contains("not yet"));
    first.close();
    skew.set(Duration.ofMinutes(2));

    share(topic, open(builder().deadLetters(dead::add).leased(store, this::record)));

    awaitAllAccepted(topic);
    assertThat(effects).isEmpty();
    assertThat(dead)
        .extracting(DeadLetter::detail)
        .singleElement()
        .asString()
        .contains("last time");
  }

  @Test
  void a_member_that_runs_out_of_memory_leaves_its_records_to_the_others() throws Exception {
    String topic = sharedTopic();
    KafkaShareReceiver<String, String> full = share(topic, this::record);
    Broker.send(topic, 0, "a");
    awaitAllAccepted(topic);

    exhaustMemory();
    Broker.send(topic, 0, "b");
    await().until(() -> full.problems().toString().contains("reading has ended"));
    freeMemory();
    share(topic, this::record);

    awaitAllAccepted(topic);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void settings_of_the_group_that_would_lose_messages_are_refused() throws Exception {
    String topic = sharedTopic();
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = receiver(this::record);
    ShareGroups.configure(group, Map.of("share.record.lock.duration.ms", "4000"));
    assertThatThrownBy(() -> share(topic, receiver))
        .hasMessageContaining("share.record.lock.duration.ms of group " + group + " is PT4S but");
    ShareGroups.configure(
        group,
        Map.of("share.record.lock.duration.ms", "2000", "share.renew.acknowledge.enable", "false"));
    assertThatThrownBy(() -> share(topic, receiver))
        .hasMessageContaining("share.renew.acknowledge.enable of group " + group + " is false but");
    ShareGroups.configure(group, Map.of("share.renew.acknowledge.enable", "true"));
    assertThatThrownBy(
            () -> KafkaShareReceiver.<String, String>builder(receiver, Broker.consumer(group))
                .topics(List.of(topic))
                .deliveryLimit(7)
                .start())
        .hasMessageContaining("deliveryLimit is 7 but must be 5");
  }

  @Test
  void an_unreadable_record_is_kept_and_named_while_others_are_done() throws Exception {
    String topic = sharedTopic();
    Broker.send(topic, 0, "four", "unreadable");
    Map<String, Object> properties = with(Map.of("value.deserializer", IntegerDeserializer.class));
    IdempotentReceiver<ConsumerRecord<String, Integer>> numbers =
        open(IdempotentReceiver.<ConsumerRecord<String, Integer>>builder("numbers")
            .id(KafkaIds.key())
            .noFingerprint()
            .lease(LeaseSettings.of(Duration.ofSeconds(3)))
            .leased(store, delivery -> effects.add(delivery.message().key())));

    KafkaShareReceiver<String, Integer> receiver =
        open(KafkaShareReceiver.start(numbers, properties, List.of(topic)));

    await().until(() -> !receiver.problems().isEmpty());
    Broker.send(topic, 0, "late");
    await()
        .during(LONGER_THAN_A_LOCK)
        .atMost(BOUND)
        .until(() -> effects.equals(List.of("four", "late")));
    assertThat(receiver.problems())
        .extracting(Problem::kind, Problem::subject)
        .containsExactly(tuple(Problem.Kind.MESSAGE_BLOCKED, topic + "-0@1"));
    assertThat(ShareGroups.lag(group, topic)).isEqualTo(1);
  }

  private long claimed() {
    return store
        .find(Stream.of("a", "b", "c").map(it -> MessageKey.of("orders", it)).toList())
        .stream()
        .flatMap(Optional::stream)
        .filter(mark -> mark.state() == MarkState.PROCESSING)
        .count();
  }

  private String sharedTopic() throws Exception {
    ShareGroups.prepare(group);
    return Broker.topic(1);
  }

  @Override
  ReceiverBuilder<ConsumerRecord<String, String>> builder() {
    return super.builder().id(record -> {
      deliveries.add(record.deliveryCount().map(Short::intValue).orElse(0));
      return KafkaIds.<String, String>key().idOf(record);
    });
  }

  private KafkaShareReceiver<String, String> share(
      String topic, MessageHandler<ConsumerRecord<String, String>> handler) {
    return share(topic, receiver(handler));
  }

  private KafkaShareReceiver<String, String> share(
      String topic, IdempotentReceiver<ConsumerRecord<String, String>> receiver) {
    return open(KafkaShareReceiver.start(receiver, Broker.consumer(group), List.of(topic)));
  }

  private void awaitAllAccepted(String topic) {
    await().until(() -> ShareGroups.lag(group, topic) == 0);
  }
}
