package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.health.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong around a receiver: its records, its offsets, its thread, its group. */
@Timeout(120)
class KafkaFaultsTest extends WithReceivers {

  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  @Test
  @DisplayName("Invariant 14: an unreadable record stops its own partition and is reported")
  void an_unreadable_record_is_neither_skipped_nor_read_for_ever() throws Exception {
    String topic = Broker.topic(2);
    AtomicInteger tries = new AtomicInteger();
    Consumer<String> hook = text -> {
      if (text.equals("corrupt")) {
        tries.incrementAndGet();
        throw new IllegalArgumentException("cannot be read");
      }
    };
    Broker.send(topic, 0, "a", "corrupt", "b");
    Broker.send(topic, 1, "c");

    KafkaReceiver<String, String> receiver = start(topic, hooked(hook, Map.of()), this::record);
    await().until(() -> receiver.problems().toString().contains("offset 1 cannot be"));
    int triesUntilPaused = tries.get();
    Broker.send(topic, 1, "d");

    awaitCommitted(topic, 1, 2);
    awaitCommitted(topic, 0, 1);
    assertThat(effects).containsExactlyInAnyOrder("a", "c", "d");
    assertThat(tries.get()).isEqualTo(triesUntilPaused);
    assertThat(receiver.state()).isEqualTo(KafkaReceiver.State.RUNNING);
    assertThat(receiver.problems())
        .extracting(Problem::kind, Problem::subject)
        .containsExactly(tuple(Problem.Kind.PARTITION_STOPPED, topic + "-0"));
  }

  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void a_text_of_a_deserializer_makes_no_line_of_its_own_in_the_log() throws Exception {
    String topic = Broker.topic(1);
    Consumer<String> hook = text -> {
      if (text.equals("corrupt")) {
        throw new IllegalArgumentException("bad\nFORGED all is well");
      }
    };
    Broker.send(topic, 0, "corrupt");
    PrintStream usual = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      start(topic, hooked(hook, Map.of()), this::record);
      await().until(() -> logged.toString(StandardCharsets.UTF_8).contains("FORGED"));
    } finally {
      System.setErr(usual);
    }

    assertThat(logged.toString(StandardCharsets.UTF_8).lines())
        .noneMatch(line -> line.startsWith("FORGED"));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  /** What a deserializer throws; one in another language also checked exceptions, as of JSON. */
  static Stream<Throwable> broken() {
    return Stream.of(
        new StackOverflowError("nested too deeply"), new IOException("Unexpected character"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  @DisplayName("Invariant 14: a record that breaks its deserializer stops no member of the group")
  void an_error_of_a_deserializer_stops_one_partition_and_no_member(Throwable broken)
      throws Exception {
    String topic = Broker.topic(2);
    Consumer<String> hook = text -> {
      if (text.equals("nested")) {
        throw KafkaFaultsTest.<RuntimeException>sneaky(broken);
      }
    };
    Broker.send(topic, 0, "a", "nested", "b");

    List<KafkaReceiver<String, String>> members = List.of(
        start(topic, hooked(hook, Map.of()), this::record),
        start(topic, hooked(hook, Map.of()), this::record));
    await()
        .until(() -> members.stream()
            .anyMatch(it -> it.problems().toString().contains("offset 1 cannot be")));
    Broker.send(topic, 1, "c", "d");

    awaitCommitted(topic, 1, 2);
    awaitCommitted(topic, 0, 1);
    assertThat(effects).containsExactlyInAnyOrder("a", "c", "d");
    assertThat(members).extracting(KafkaReceiver::state).containsOnly(KafkaReceiver.State.RUNNING);
  }

  @Test
  @DisplayName("Invariant 14: a member whose receiver has failed leaves its work to the others")
  void a_member_that_runs_out_of_memory_leaves_its_group() throws Exception {
    String topic = Broker.topic(1);
    KafkaReceiver<String, String> full = start(topic, this::record);
    Broker.send(topic, 0, "a");
    awaitCommitted(topic, 0, 1);

    exhaustMemory();
    Broker.send(topic, 0, "b");
    await().until(() -> full.state() == KafkaReceiver.State.DOWN);
    assertThat(full.problems()).extracting(Problem::kind).contains(Problem.Kind.RECEIVER_DOWN);
    freeMemory();
    start(topic, this::record);

    awaitCommitted(topic, 0, 2);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_group_without_offsets_and_reset_is_down_and_names_the_partition() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a");

    KafkaReceiver<String, String> receiver =
        start(topic, Map.of("auto.offset.reset", "none"), this::record);

    await().until(() -> receiver.state() == KafkaReceiver.State.DOWN);
    assertThat(receiver.problems().toString()).contains(topic + "-0", "NoOffsetForPartition");
    assertThat(effects).isEmpty();
  }

  @Test
  void a_committed_offset_out_of_range_starts_at_the_beginning() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a", "b");
    Broker.commit(group, topic, 0, 50);

    start(topic, this::record);

    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_topic_that_does_not_exist_is_refused_by_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> start("no-such-topic", this::record))
        .withMessageContaining("topics holds 'no-such-topic'");
  }

  @Test
  void a_member_whose_name_was_taken_is_down_and_the_other_continues() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a");
    Map<String, Object> named = Map.of(
        "group.instance.id",
        "the-only-one",
        "session.timeout.ms",
        3000,
        "heartbeat.interval.ms",
        500);
    KafkaReceiver<String, String> first = start(topic, named, this::record);
    awaitCommitted(topic, 1);

    start(topic, named, this::record);
    Broker.send(topic, 0, "b", "c");

    await().until(() -> first.state() == KafkaReceiver.State.DOWN);
    assertThat(first.problems().toString()).contains("FencedInstanceId");
    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void an_interrupted_poll_thread_drains_commits_and_leaves() throws Exception {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "a", "b");
    CompletableFuture<Thread> poller = new CompletableFuture<>();
    Consumer<String> hook = text -> poller.complete(Thread.currentThread());
    KafkaReceiver<String, String> first = start(topic, hooked(hook, Map.of()), this::hold);
    awaitRunning();

    poller.join().interrupt();
    await().atMost(AT_ONCE).until(() -> first.failure().isPresent());
    assertThat(first.problems())
        .as("shown while the handler is waited for")
        .anyMatch(it -> it.kind() == Problem.Kind.RECEIVER_DOWN);
    goOn.countDown();

    await().until(() -> first.state() == KafkaReceiver.State.DOWN);
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(effects.size()).isPositive();
    start(topic, this::record);
    awaitCommitted(topic, 2);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_handler_may_close_its_own_receiver() throws Exception {
    String topic = Broker.topic(1);
    stopClock();
    Broker.send(topic, 0, "a", "b", "c");
    CompletableFuture<KafkaReceiver<String, String>> own = new CompletableFuture<>();
    IdempotentReceiver<ConsumerRecord<String, String>> closing = receiver(delivery -> {
      own.join().close();
      record(delivery);
    });
    own.complete(start(topic, Duration.ofMillis(200), closing));

    await().until(() -> own.join().state() == KafkaReceiver.State.CLOSED);
    await().until(() -> !effects.isEmpty());
    start(topic, this::record);
    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void the_poll_thread_may_close_its_own_receiver() throws Exception {
    String topic = Broker.topic(1);
    CompletableFuture<KafkaReceiver<String, String>> own = new CompletableFuture<>();
    CompletableFuture<Duration> took = new CompletableFuture<>();
    Consumer<String> hook = text -> {
      long before = System.nanoTime();
      own.join().close();
      took.complete(Duration.ofNanos(System.nanoTime() - before));
    };
    own.complete(start(topic, hooked(hook, Map.of()), this::record));
    Broker.send(topic, 0, "a");

    await().until(() -> own.join().state() == KafkaReceiver.State.CLOSED);
    assertThat(took.join()).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void two_groups_over_one_receiver_let_each_message_take_effect_once() throws Exception {
    String topic = Broker.topic(2);
    IdempotentReceiver<ConsumerRecord<String, String>> shared = receiver(this::record);
    Broker.send(topic, 0, "a", "b", "c");
    Broker.send(topic, 1, "d", "e", "f");

    List<String> groups = List.of(group, group + "-other");
    for (String each : groups) {
      open(KafkaReceiver.start(shared, Broker.consumer(each), List.of(topic)));
    }

    for (String each : groups) {
      awaitCommitted(topic, each, 0, 3);
      awaitCommitted(topic, each, 1, 3);
    }
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f");
  }

  @Test
  @DisplayName("Invariant 13: a member that was blocked for too long commits and repeats nothing")
  void a_blocked_poll_thread_loses_its_partition_and_nothing_else() throws Exception {
    String topic = Broker.topic(1);
    stopClock();
    CountDownLatch standing = new CountDownLatch(1);
    AtomicReference<Thread> sleeper = new AtomicReference<>();
    Consumer<String> hook = text -> {
      if (text.equals("still") && sleeper.compareAndSet(null, Thread.currentThread())) {
        standing.countDown();
        pass(goOn);
      }
    };
    CountDownLatch handled = new CountDownLatch(1);
    IdempotentReceiver<ConsumerRecord<String, String>> slow = receiver(delivery -> {
      pass(handled);
      record(delivery);
    });
    Map<String, Object> impatient = Map.of(
        "max.poll.interval.ms", 2000, "session.timeout.ms", 2000, "heartbeat.interval.ms", 500);
    Broker.send(topic, 0, "slow");
    KafkaReceiver<String, String> first =
        open(KafkaReceiver.start(slow, hooked(hook, impatient), List.of(topic)));
    awaitCommitted(topic, 0);
    Broker.send(topic, 0, "still", "c");
    assertThat(standing.await(30, TimeUnit.SECONDS)).isTrue();

    Map<String, Object> named = new HashMap<>(impatient);
    named.put("client.id", "second");
    start(topic, named, this::record);
    await().until(() -> Broker.owners(group).equals(List.of("second")));
    handled.countDown();
    awaitCommitted(topic, 3);
    goOn.countDown();
    Broker.send(topic, 0, "d");

    awaitCommitted(topic, 4);
    assertThat(first.state()).isEqualTo(KafkaReceiver.State.RUNNING);
    assertThat(effects).containsExactly("slow", "still", "c", "d");
  }

  @Test
  void the_session_of_a_static_member_must_not_outlive_the_lease() {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver =
        open(builder().lease(LeaseSettings.of(Duration.ofSeconds(30))).leased(store, this::record));
    var named = KafkaReceiver.<String, String>builder(
            receiver, with(Map.of("group.instance.id", "one", "session.timeout.ms", "30001")))
        .topics(List.of("orders"));

    assertThatIllegalArgumentException()
        .isThrownBy(named::start)
        .withMessageContaining("session.timeout.ms is PT30.001S")
        .withMessageContaining("lease, which is PT30S");
  }

  @Test
  void a_drain_must_leave_half_of_the_poll_interval() {
    var builder = KafkaReceiver.<String, String>builder(
        receiver(this::record), with(Map.of("max.poll.interval.ms", 10_000)));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.drainTimeout(Duration.ofMillis(5001)))
        .withMessageContaining("drainTimeout is PT5.001S")
        .withMessageContaining("max.poll.interval.ms, which is PT10S");
  }

  private Map<String, Object> hooked(Consumer<String> hook, Map<String, Object> settings) {
    Map<String, Object> all = with(settings);
    all.putAll(HookedDeserializer.with(hook));
    return all;
  }

  private static void pass(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody went on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
