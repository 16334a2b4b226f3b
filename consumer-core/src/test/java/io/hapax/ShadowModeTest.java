package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shadow mode: what the store answers changes nothing for a message, and is counted. */
class ShadowModeTest extends FaultFixture {

  private IdempotentReceiver<String> shadow(DedupStore store, MessageHandler<String> handler) {
    return open(builder().shadow().leased(store, handler));
  }

  private static void awaitCount(
      IdempotentReceiver<?> receiver, ToLongFunction<ShadowReport> count, long expected) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(count.applyAsLong(report(receiver))).isEqualTo(expected));
  }

  @Test
  void a_duplicate_takes_effect_again_and_is_counted() throws Exception {
    IdempotentReceiver<String> receiver = shadow(marks, this::record);
    receive(receiver, "a", "b");
    awaitCount(receiver, ShadowReport::marked, 2);

    List<Outcome> again = receive(receiver, "a");

    assertThat(again).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("a", "b", "a");
    awaitCount(receiver, ShadowReport::duplicates, 1);
    assertThat(report(receiver).withoutClaim()).isOne();
  }

  @Test
  void the_marks_are_kept_for_the_receiver_that_follows() throws Exception {
    IdempotentReceiver<String> shadow = shadow(marks, this::record);
    receive(shadow, "a");
    awaitCount(shadow, ShadowReport::marked, 1);
    shadow.close();

    List<Outcome> known = receive(open(builder().leased(marks, this::record)), "a", "b");

    assertThat(known.get(0)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_handler_has_no_time_limit_because_its_end_decides() throws Exception {
    Duration limit = Duration.ofMillis(10);
    IdempotentReceiver<String> shadow = open(builder()
        .shadow()
        .handlerTimeout(limit)
        .leased(
            marks,
            delivery -> assertThat(
                    new CountDownLatch(1).await(20 * limit.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse()));

    assertThat(receiveOne(shadow, "a")).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void the_needed_retention_is_the_longest_distance_of_a_duplicate() throws Exception {
    AtomicReference<Duration> past = new AtomicReference<>(Duration.ofDays(3));
    InMemoryDedupStore store =
        new InMemoryDedupStore(() -> Instant.now().minus(past.get()), Duration.ofDays(8));
    IdempotentReceiver<String> receiver = shadow(store, this::record);
    receive(receiver, "a");
    awaitCount(receiver, ShadowReport::marked, 1);
    past.set(Duration.ZERO);

    receive(receiver, "a");

    awaitCount(receiver, ShadowReport::duplicates, 1);
    assertThat(report(receiver).neededRetention())
        .isBetween(Duration.ofDays(3), Duration.ofDays(3).plusMinutes(1));
  }

  @Test
  @DisplayName("a store that hangs delays no message, and the claims that wait are bounded")
  void a_store_that_hangs_delays_no_message() throws Exception {
    Gate answers = new Gate();
    IdempotentReceiver<String> receiver = open(builder()
        .claimWindow(2)
        .shadow()
        .leased(
            faulty((verb, items, call) -> {
              if (!verb.equals("retention")) {
                answers.pass();
              }
              return call.go();
            }),
            this::record));

    assertThat(receive(receiver, "a", "b", "c")).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(receive(receiver, "d")).hasOnlyElementsOfType(Outcome.Executed.class);

    assertThat(effects).containsExactly("a", "b", "c", "d");
    assertThat(report(receiver).unjudged()).isOne();
    assertThat(receiver.problems()).isEmpty();
    answers.open();
    awaitCount(receiver, ShadowReport::marked, 3);
  }

  @Test
  void a_message_that_runs_elsewhere_is_not_waited_for() throws Exception {
    claimedElsewhere("busy", false, Duration.ofMinutes(1));
    IdempotentReceiver<String> receiver = shadow(marks, this::record);

    List<Outcome> outcomes = receive(receiver, "busy", "b");

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("busy", "b");
    awaitCount(receiver, ShadowReport::concurrentCopies, 1);
    awaitCount(receiver, ShadowReport::marked, 1);
    assertThat(mark("busy")).returns(MarkState.PROCESSING, Mark::state);
  }

  @Test
  void copies_that_run_at_the_same_time_do_not_wait_for_each_other() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    IdempotentReceiver<String> receiver = shadow(marks, delivery -> {
      both.countDown();
      both.await();
    });

    List<Outcome> outcomes = receiver.receive(both(lane("p0", "a"), lane("p1", "a")), PATIENCE);

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    awaitCount(receiver, ShadowReport::concurrentCopies, 1);
    awaitCount(receiver, ShadowReport::marked, 1);
  }

  @Test
  void another_payload_under_a_known_id_runs_and_is_a_conflict() throws Exception {
    IdempotentReceiver<String> receiver = shadow(marks, this::record);
    receive(receiver, "a=1");
    awaitCount(receiver, ShadowReport::marked, 1);

    assertThat(receive(receiver, "a=2")).hasOnlyElementsOfType(Outcome.Executed.class);

    assertThat(effects).containsExactly("a=1", "a=2");
    awaitCount(receiver, ShadowReport::conflicts, 1);
    assertThat(buried).isEmpty();
  }

  @Test
  void a_message_without_identity_runs() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> switch (text) {
          case "none" -> Optional.empty();
          case "blank" -> Optional.of(Bytes.utf8(" "));
          case "huge" -> Optional.of(Bytes.utf8("x".repeat(100_000)));
          case "throws" -> throw new IllegalStateException("no id");
          case "checked" ->
            throw FaultFixture.<RuntimeException>sneaky(new IOException("no registry"));
          default -> Optional.of(Bytes.utf8(text));
        })
        .fingerprint(text -> {
          throw FaultFixture.<RuntimeException>sneaky(new IOException("no registry"));
        })
        .shadow()
        .leased(marks, this::record));

    List<Outcome> outcomes = receive(receiver, "none", "blank", "huge", "throws", "checked", "a");

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("none", "blank", "huge", "throws", "checked", "a");
    assertThat(report(receiver).withoutIdentity()).isEqualTo(6);
    assertThat(buried).isEmpty();
  }

  @Test
  void a_message_that_fails_is_redelivered_and_uses_no_attempt() throws Exception {
    IdempotentReceiver<String> receiver = shadow(marks, delivery -> {
      effects.add(delivery.message());
      if (effects.size() <= 5) {
        throw new RejectedMessageException("no such article");
      }
    });

    for (int i = 0; i < 5; i++) {
      assertThat(receive(receiver, "a").get(0))
          .isInstanceOfSatisfying(
              Outcome.Deferred.class, it -> assertThat(it.reason()).isEqualTo(Reason.RETRY));
    }
    awaitCount(receiver, it -> it.failed() + it.unjudged(), 5);
    assertThat(mark("a"))
        .returns(MarkState.RETRY, Mark::state)
        .returns(0, mark -> mark.claim().attempt().number());
    assertThat(buried).isEmpty();

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Executed.class);
    awaitCount(receiver, ShadowReport::marked, 1);
    assertThat(mark("a")).returns(MarkState.DONE, Mark::state);
  }

  @Test
  void messages_that_are_given_up_before_they_run_are_not_counted() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver = shadow(marks, delivery -> handler.pass());
    Submission submission = receiver.submit(lane("p0", "a", "b", "c"), IGNORED);
    handler.awaitReached();
    eventually(() -> state("c").isPresent());
    submission.abandon();
    handler.open();
    awaitAll(submission);

    receiver.close();

    assertThat(report(receiver))
        .returns(1L, ShadowReport::marked)
        .returns(0L, ShadowReport::failed)
        .returns(0L, ShadowReport::withoutClaim);
    assertThat(mark("a")).returns(MarkState.DONE, Mark::state);
    assertThat(mark("c")).returns(MarkState.RETRY, Mark::state);
  }

  @Test
  void the_handler_sees_the_id_of_the_message_and_no_claim() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = shadow(
        marks,
        delivery -> seen.add(delivery.messageId() + " " + delivery.isProtected() + " "
            + delivery.isCurrent() + " " + delivery.idempotencyKey()));

    receive(receiver, "a");

    assertThat(seen)
        .containsExactly("a false true " + HexFormat.of().formatHex(key("a").storeKey()));
  }

  @Test
  void batches_and_answers_are_marked_too() throws Exception {
    IdempotentReceiver<String> batches = open(
        builder().shadow().leasedBatches(marks, deliveries -> deliveries.forEach(this::record)));
    receive(batches, "a", "b", "c");
    awaitCount(batches, ShadowReport::marked, 3);

    IdempotentReceiver<String> answering = open(
        builder().shadow().answering(marks, delivery -> Bytes.utf8("to " + delivery.message())));
    receive(answering, "d");
    awaitCount(answering, ShadowReport::marked, 1);

    Outcome known =
        receive(open(builder().answering(marks, delivery -> Bytes.EMPTY)), "d").get(0);
    assertThat(known).isEqualTo(new Outcome.Duplicate(Bytes.utf8("to d")));
  }

  @Test
  void lanes_of_an_adapter_keep_their_order() throws Exception {
    IdempotentReceiver<String> receiver = shadow(marks, this::record);
    LaneGroup<String> lanes = receiver.port().openLanes();
    Submission last = lanes.submit(lane("p0", "0"), IGNORED);
    for (int i = 1; i < 20; i++) {
      last = lanes.submit(lane("p0", Integer.toString(i)), IGNORED);
    }

    awaitAll(last);
    assertThat(effects.stream().map(Integer::valueOf)).isSorted().hasSize(20);
    awaitCount(receiver, ShadowReport::marked, 20);
  }

  @Test
  void a_receiver_in_another_mode_has_no_report() {
    assertThat(open(builder().leased(marks, this::record)).shadowReport()).isEmpty();
  }
}
