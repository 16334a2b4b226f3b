package io.hapax.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.PollThread;
import io.hapax.adapter.PollingLoop;
import io.hapax.kafka.internal.GuardedDeserializer;
import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.RecordHandouts;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.RecordDeserializationException.DeserializationExceptionOrigin;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What no real broker can be made to do at the right moment. */
@Timeout(60)
class PollLoopTest extends WithReceivers {

  private final ScriptedConsumer consumer = new ScriptedConsumer();
  private @Nullable PollLoop<String, String> loop;
  private Duration silence = Duration.ofMinutes(5);

  @Test
  @DisplayName("Invariant 13: what was lost is not committed, however much of it is done")
  void a_lost_partition_commits_nothing() {
    consumer.holdFrom = 1;
    PollThread thread = start(this::record);
    consumer.assignNext(0, "a");
    await().until(() -> consumer.asked.contains(1L));
    consumer.schedulePollTask(() -> consumer.add(1, "b"));
    await().until(() -> effects.contains("b"));

    consumer.loseNext(requireNonNull(loop));
    awaitPolls(2);
    thread.stop();
    await().until(() -> KafkaReceiver.State.of(thread) == KafkaReceiver.State.CLOSED);

    assertThat(consumer.waited).isEmpty();
    assertThat(consumer.asked).doesNotContain(2L);
  }

  @Test
  @DisplayName("Invariant 13: the answer to a commit of an old assignment says nothing of the new")
  void a_late_commit_answer_does_not_touch_the_next_assignment() {
    consumer.holdFrom = 1;
    start(this::record);
    consumer.assignNext(0, "a");
    await().until(() -> consumer.asked.contains(1L));

    consumer.loseNext(requireNonNull(loop));
    consumer.assignNext(0);
    consumer.answerNext(null);
    awaitPolls(2);
    consumer.schedulePollTask(() -> consumer.add(0, "a"));
    // The position 0 is committed only if the duplicate is not done by then.
    await().until(() -> consumer.asked.stream().skip(2).anyMatch(it -> it == 1));
    consumer.revokeNext();

    await().until(() -> consumer.waited.equals(List.of(1L)));
    assertThat(effects).containsExactly("a");
  }

  @Test
  void a_revoke_during_a_commit_waits_for_the_last_commit() {
    consumer.holdFrom = 1;
    start(this::record);
    consumer.assignNext(0, "a");
    await().until(() -> consumer.asked.contains(1L));
    consumer.schedulePollTask(() -> consumer.add(1, "b"));
    await().until(() -> effects.contains("b"));

    consumer.revokeNext();
    await().until(() -> consumer.waited.equals(List.of(2L)));
    consumer.holdFrom = Long.MAX_VALUE;
    consumer.answerNext(new TimeoutException("late"));
    awaitPolls(2);
    consumer.assignNext(2, "c");

    await().until(() -> consumer.asked.contains(3L));
  }

  @Test
  void a_wake_that_comes_late_does_not_cost_the_last_commit() {
    consumer.holdFrom = 1;
    start(this::record);
    consumer.assignNext(0, "a");
    await().until(() -> consumer.asked.contains(1L));
    consumer.wokenLate = true;

    consumer.revokeNext();

    await().until(() -> consumer.waited.equals(List.of(1L)));
    assertThat(consumer.wokenLate).isFalse();
  }

  @Test
  @DisplayName("Invariant 14: commits that are refused repeatedly are reported")
  void commits_that_keep_failing_are_a_problem_until_one_succeeds() {
    consumer.commitFailure = Optional.of(new GroupAuthorizationException("orders"));
    PollThread thread = start(this::record);
    consumer.assignNext(0, "a");

    await().until(() -> thread.problems().toString().contains("GroupAuthorization"));
    consumer.commitFailure = Optional.empty();

    await().until(() -> thread.problems().isEmpty());
    assertThat(KafkaReceiver.State.of(thread)).isEqualTo(KafkaReceiver.State.RUNNING);
  }

  @Test
  void polls_that_keep_failing_are_a_problem_until_one_succeeds() {
    failUntilOneSucceeds(start(this::record));
  }

  @Test
  void polls_for_transactions_that_keep_failing_are_a_problem_until_one_succeeds() {
    failUntilOneSucceeds(startTransactional());
  }

  private void failUntilOneSucceeds(PollThread thread) {
    AtomicBoolean away = new AtomicBoolean(true);
    consumer.eachPoll(it -> () -> {
      if (away.get()) {
        it.setPollException(new TimeoutException("no broker"));
      }
    });
    await().until(() -> thread.problems().toString().contains("no broker"));
    away.set(false);
    await().until(() -> thread.problems().isEmpty());
  }

  /** As the client throws it: it parses the record again in the next poll. */
  private static RecordDeserializationException withoutMemory() {
    GuardedDeserializer<String> texts = GuardedDeserializer.of(
        (topic, data) -> {
          throw new OutOfMemoryError("Java heap space");
        },
        false);
    SerializationException failure = catchThrowableOfType(
        SerializationException.class, () -> texts.deserialize("scripted", new byte[] {'a'}));
    return new RecordDeserializationException(
        DeserializationExceptionOrigin.VALUE,
        ScriptedConsumer.PARTITION,
        0,
        0,
        TimestampType.CREATE_TIME,
        null,
        ByteBuffer.wrap(new byte[] {'a'}),
        new RecordHeaders(),
        "no memory",
        failure);
  }

  @Test
  @DisplayName("Invariant 14: a record is read again once there is memory")
  void a_deserializer_without_memory_for_a_moment_does_not_stop_its_partition() {
    PollThread thread = start(this::record);
    consumer.assignNext(0);
    consumer.schedulePollTask(() -> consumer.setPollException(withoutMemory()));
    await().until(() -> thread.problems().toString().contains("want of memory"));

    consumer.schedulePollTask(() -> consumer.add(0, "a"));

    await().until(() -> effects.contains("a"));
    await().until(() -> thread.problems().isEmpty());
  }

  @Test
  void a_consumer_that_cannot_be_closed_does_not_keep_the_loop_running() {
    consumer.closeFailure = Optional.of(new IllegalStateException("cannot be closed"));
    PollThread thread = start(this::record);

    thread.stop();

    await().until(() -> KafkaReceiver.State.of(thread) != KafkaReceiver.State.RUNNING);
  }

  @Test
  @DisplayName("Invariant 14: no partition stops without a reason that health shows")
  void a_handler_that_hangs_is_a_problem_that_names_its_offset() {
    silence = Duration.ofMillis(100);
    PollThread thread = start(this::hold);
    consumer.assignNext(4, "a");

    await().until(() -> thread.problems().toString().contains("scripted-0@4"));
    goOn.countDown();

    await().until(() -> thread.problems().isEmpty());
  }

  @Test
  void nothing_of_a_revoked_partition_is_kept_in_memory() {
    List<WeakReference<Object>> seen = new CopyOnWriteArrayList<>();
    start(delivery -> seen.add(new WeakReference<>(delivery.message())));
    consumer.assignNext(0, "a");
    await().until(() -> !seen.isEmpty() && consumer.asked.contains(1L));

    consumer.revokeNext();

    await().until(() -> {
      System.gc();
      return seen.get(0).get() == null;
    });
  }

  @Test
  void a_partition_that_is_taken_away_while_it_is_paused_does_not_end_the_loop() {
    start(this::record);
    consumer.assignNext(0, "a");
    await().until(() -> consumer.asked.contains(1L));

    consumer.schedulePollTask(() -> {
      consumer.pausedBefore = Set.of(ScriptedConsumer.PARTITION);
      consumer.rebalance(List.of());
    });
    awaitPolls(2);
    consumer.assignNext(1, "b");

    await().until(() -> consumer.asked.contains(2L));
  }

  @Test
  void the_partitions_that_are_left_are_paused_although_one_was_taken_away() {
    TopicPartition left = new TopicPartition("scripted", 1);
    consumer.subscribe(List.of("scripted"));
    consumer.rebalance(List.of(left));

    OwnedPartitions.of(List.of(ScriptedConsumer.PARTITION, left), consumer::pause);

    assertThat(consumer.paused()).containsExactly(left);
  }

  @Test
  @DisplayName("Invariant 13: a topic that was made anew starts below what was committed")
  void offsets_that_start_again_are_committed_again() {
    start(this::record);
    consumer.assignNext(7, "a");
    await().until(() -> consumer.asked.contains(8L));

    consumer.schedulePollTask(() -> {
      consumer.updateBeginningOffsets(Map.of(ScriptedConsumer.PARTITION, 0L));
      consumer.seek(ScriptedConsumer.PARTITION, 0);
      consumer.add(0, "b");
    });

    await().until(() -> consumer.asked.contains(1L));
    assertThat(effects).containsExactly("a", "b");
  }

  private PollThread start(MessageHandler<ConsumerRecord<String, String>> handler) {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = receiver(handler);
    PollLoop.Bounds bounds = new PollLoop.Bounds(
        ProcessingOrder.PARTITION,
        500,
        500,
        5000,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        silence);
    loop = new PollLoop<>(
        consumer,
        new Subscription.Topics(List.of("scripted")),
        RecordHandouts.ofOthers(),
        new InFlightWindows<>(
            receiver.port().openLanes(), ConsumerRecord::timestamp, System::nanoTime),
        bounds,
        receiver);
    return started(loop, receiver);
  }

  /** Starts a loop whose brokers do not answer, so that it gets no records. */
  private PollThread startTransactional() {
    CommittedOffsets offsets =
        open(CommittedOffsets.open(Map.of("bootstrap.servers", "localhost:1"), "scripted"));
    LostClaims lost = new LostClaims(store, offsets, Duration.ZERO);
    OutputProducer<String, String> producer = new OutputProducer<>(MockProducer::new, offsets);
    OutputTransactions<String, String, String, String> transactions = new OutputTransactions<>(
        producer,
        (outputs, deliveries) -> {},
        new OffsetProbedStore(store, lost),
        Duration.ofSeconds(5),
        Duration.ofSeconds(5));
    IdempotentReceiver<ConsumerRecord<String, String>> receiver =
        open(builder().leasedBatches(store, transactions));
    TransactionalPollLoop<String, String> polling = new TransactionalPollLoop<>(
        consumer,
        RecordHandouts.ofOthers(),
        new TransactionalPollLoop.Shared<>(receiver, producer, transactions, lost, offsets),
        List.of("scripted"),
        Duration.ofSeconds(5));
    return started(polling, receiver);
  }

  private PollThread started(PollingLoop polling, IdempotentReceiver<?> receiver) {
    PollThread thread =
        new PollThread("scripted", () -> polling, receiver.port().clock());
    thread.start();
    opened.add(() -> {
      thread.stop();
      thread.awaitEnd(BOUND);
    });
    return thread;
  }

  /** Waits until everything that was scheduled before has been polled, and so many polls more. */
  private void awaitPolls(int count) {
    CountDownLatch latch = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      consumer.schedulePollTask(latch::countDown);
    }
    await().until(() -> latch.getCount() == 0);
  }
}
