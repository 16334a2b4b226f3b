package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole way from a real broker through the engine and back to the committed offset. */
@Timeout(120)
class KafkaReceiverTest extends WithReceivers {

  private final String topic = Broker.topic(1);

  @Test
  void a_message_that_the_producer_sent_twice_takes_effect_once() throws Exception {
    Broker.send(topic, 0, "a", "b", "a", "c", "b");

    start(topic, this::record);

    awaitCommitted(topic, 5);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_replay_from_the_beginning_runs_nothing() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    start(topic, this::record).close();
    start(topic, this::record);
    awaitCommitted(topic, 3);

    start(topic, Map.of("group.id", group + "-replaying"), this::record);

    awaitCommitted(topic, group + "-replaying", 0, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("Invariant 13: what failed is not committed over, and runs again in its order")
  void a_failed_message_holds_back_its_partition_until_it_succeeds() throws Exception {
    Broker.send(topic, 0, "a", "poison", "c");
    List<Long> committedWhenFailing = new CopyOnWriteArrayList<>();

    start(topic, delivery -> {
      if (delivery.message().value().equals("poison") && delivery.attempt() < 3) {
        committedWhenFailing.add(Broker.committed(group, topic, 0));
        throw new IllegalStateException("attempt " + delivery.attempt() + " fails");
      }
      effects.add(delivery.message().value());
    });

    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "poison", "c");
    assertThat(committedWhenFailing).hasSize(2).allMatch(offset -> offset <= 1);
  }

  @Test
  @DisplayName("Invariant 1: busy is never acknowledged")
  void a_message_handled_elsewhere_waits_for_the_end_of_the_lease() throws Exception {
    stopClock();
    claimedByForeigner("b", Duration.ofSeconds(5));
    Broker.send(topic, 0, "a", "b", "c");

    KafkaReceiver<String, String> receiver = start(topic, this::record);
    await().until(() -> receiver.problems().toString().contains("BUSY"));
    awaitCommitted(topic, 1);
    assertThat(effects).containsExactly("a");

    skew.set(Duration.ofMinutes(1));
    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void closing_waits_for_the_running_handler_commits_it_and_releases_the_rest() throws Exception {
    Broker.send(topic, 0, "a", "b", "c");
    KafkaReceiver<String, String> first = start(topic, this::hold);
    awaitRunning();

    Thread closing = new Thread(first::close);
    closing.start();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    closing.join(BOUND.toMillis());

    assertThat(first.state()).isEqualTo(KafkaReceiver.State.CLOSED);
    assertThat(effects).startsWith("a");
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(effects.size());
    start(topic, this::record);
    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_handler_that_outlives_the_drain_finishes_and_is_not_repeated() throws Exception {
    stopClock();
    Broker.send(topic, 0, "a", "b");
    KafkaReceiver<String, String> first = start(topic, Duration.ZERO, receiver(this::hold));
    awaitRunning();

    first.close();
    assertThat(Broker.committed(group, topic, 0)).isLessThanOrEqualTo(0);
    start(topic, this::record);
    goOn.countDown();

    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void receiver_and_consumer_end_within_the_drain_time_out_and_ten_seconds() throws Exception {
    Duration drain = Duration.ofSeconds(4);
    Broker.send(topic, 0, "a");
    IdempotentReceiver<ConsumerRecord<String, String>> hanging =
        open(builder().drainTimeout(drain).leased(store, this::hold));
    KafkaReceiver<String, String> service = start(topic, drain, hanging);
    awaitRunning();

    Duration first = time(service);
    Duration second = time(hanging);
    goOn.countDown();

    assertThat(first).isBetween(drain, drain.plusSeconds(10));
    assertThat(second).as("the handler was waited for once").isLessThan(Duration.ofSeconds(3));
    assertThat(service.state()).isEqualTo(KafkaReceiver.State.CLOSED);
  }

  private static Duration time(AutoCloseable closed) throws Exception {
    long begin = System.nanoTime();
    closed.close();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  @DisplayName("Invariant 1: dead letters are acknowledged only after their record is")
  void what_has_no_id_and_what_fails_for_good_is_published_and_then_committed() throws Exception {
    String graveyard = Broker.topic(1);
    Broker.sendWithoutKey(topic, "nameless");
    Broker.send(topic, 0, "poison", "c");
    KafkaDeadLetterPublisher<String, String> publisher =
        open(KafkaDeadLetterPublisher.to(graveyard, Broker.producer()));

    start(topic, open(builder().deadLetters(publisher).leased(store, delivery -> {
      if (delivery.message().value().equals("poison")) {
        throw new IllegalStateException("never");
      }
      record(delivery);
    })));

    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("c");
    List<ConsumerRecord<String, String>> dead = Broker.read(graveyard);
    assertThat(dead).extracting(ConsumerRecord::value).containsExactly("nameless", "poison");
    assertThat(header(dead.get(0), "hapax-kind")).isEqualTo("MISSING_ID");
    assertThat(header(dead.get(0), "hapax-attempts")).isEqualTo("0");
    assertThat(header(dead.get(1), "hapax-attempts")).isEqualTo("3");
    assertThat(header(dead.get(1), "hapax-detail"))
        .isEqualTo("java.lang.IllegalStateException: never");
    assertThat(header(dead.get(1), "hapax-kind")).isEqualTo("ATTEMPTS_EXHAUSTED");
    assertThat(header(dead.get(1), "hapax-id")).isEqualTo("poison");
    assertThat(header(dead.get(1), "hapax-in-doubt")).isEqualTo("true");
    assertThat(header(dead.get(1), "hapax-coordinates")).isEqualTo(topic + "-0@1");
  }

  @Test
  void a_record_older_than_the_dedup_window_is_dead_lettered() throws Exception {
    Broker.send(topic, 0, "old");
    skew.set(Duration.ofDays(9));
    List<DeadLetter.Kind> kinds = new CopyOnWriteArrayList<>();

    start(
        topic,
        open(builder()
            .tooOld(TooOldPolicy.DEAD_LETTER)
            .deadLetters(letter -> kinds.add(letter.kind()))
            .leased(store, this::record)));

    awaitCommitted(topic, 1);
    assertThat(kinds).containsExactly(DeadLetter.Kind.TOO_OLD);
    assertThat(effects).isEmpty();
  }

  @Test
  void aborted_records_and_markers_are_committed_over_and_never_handled() throws Exception {
    Broker.sendInTransaction(topic, true, "a", "b");
    Broker.sendInTransaction(topic, false, "aborted", "aborted too");
    Broker.sendInTransaction(topic, true, "c");
    Broker.sendInTransaction(topic, false, "aborted at the end");

    start(topic, this::record);

    awaitCommitted(topic, Broker.end(topic, 0));
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_loop_that_dies_says_so_and_leaves_its_group() throws Exception {
    Broker.send(topic, 0, "a");
    IdempotentReceiver<ConsumerRecord<String, String>> closed = receiver(this::record);
    closed.close();

    KafkaReceiver<String, String> dead = start(topic, closed);

    await().until(() -> dead.state() == KafkaReceiver.State.DOWN);
    assertThat(dead.failure()).isPresent();
    assertThat(dead.problems())
        .anyMatch(it -> it.kind() == Problem.Kind.RECEIVER_DOWN && it.text().contains("died"));
    start(topic, this::record);
    awaitCommitted(topic, 1);
  }
}
