package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages that are older than what the store, which keeps eight days, remembers. */
class TooOldTest extends FaultFixture {

  private static final Duration BEYOND = Duration.ofDays(9);

  private final long sent = clock.instant().toEpochMilli();
  private final List<TooOldPolicy> told = new CopyOnWriteArrayList<>();

  private List<Incoming<String>> sentThen(String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(Handout.of(messages[i]), "p0", true, "p0@" + i, false, sent))
        .toList();
  }

  private ReceiverBuilder<String> telling(TooOldPolicy policy) {
    return builder().tooOld(policy).listener(new ReceiverListener() {
      @Override
      public void onTooOldToJudge(MessageKey key, Duration age, TooOldPolicy decided) {
        assertThat(age).isGreaterThanOrEqualTo(BEYOND);
        told.add(decided);
      }
    });
  }

  private IdempotentReceiver<String> receiver(TooOldPolicy policy) {
    return open(telling(policy).leased(marks, this::record));
  }

  private IdempotentReceiver<String> burying() {
    return receiver(TooOldPolicy.DEAD_LETTER);
  }

  private void forget() {
    clock.advance(BEYOND);
    marks.purge(100);
  }

  @Test
  void a_replay_from_before_the_dedup_window_is_dead_lettered_unrun() throws Exception {
    IdempotentReceiver<String> receiver = burying();
    receiver.receive(sentThen("a"), PATIENCE);
    forget();

    Outcome replayed = receiver.receive(sentThen("a"), PATIENCE).get(0);
    Outcome again = receiver.receive(sentThen("a"), PATIENCE).get(0);

    assertThat(List.of(replayed, again)).allMatch(Outcome.DeadLettered.class::isInstance);
    assertThat(effects).containsExactly("a");
    assertThat(buried).hasSize(1);
    assertThat(buried.get(0).kind()).isEqualTo(DeadLetter.Kind.TOO_OLD);
    assertThat(buried.get(0).attempts()).isZero();
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void by_default_an_old_message_runs_and_the_listener_is_notified() throws Exception {
    IdempotentReceiver<String> receiver = receiver(TooOldPolicy.PROCESS);
    receiver.receive(sentThen("a"), PATIENCE);
    forget();

    receiver.receive(sentThen("a"), PATIENCE);

    assertThat(effects).containsExactly("a", "a");
    assertThat(told).containsExactly(TooOldPolicy.PROCESS);
  }

  @Test
  void what_the_store_still_knows_is_a_duplicate_however_old_it_is() throws Exception {
    IdempotentReceiver<String> receiver = burying();
    receiver.receive(sentThen("a"), PATIENCE);
    clock.advance(BEYOND);

    Outcome outcome = receiver.receive(sentThen("a"), PATIENCE).get(0);

    assertThat(outcome).isInstanceOf(Outcome.Duplicate.class);
    assertThat(told).isEmpty();
  }

  @Test
  void a_message_that_is_young_or_has_no_time_runs() throws Exception {
    IdempotentReceiver<String> receiver = burying();
    clock.advance(Duration.ofDays(7));

    receiver.receive(sentThen("young"), PATIENCE);
    receive(receiver, "timeless");

    assertThat(effects).containsExactly("young", "timeless");
    assertThat(told).isEmpty();
  }

  @Test
  @DisplayName(
      "invariant 1: while its record is not taken it is no ack, and it does not run either")
  void a_message_whose_dead_letter_was_refused_is_judged_again() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = open(telling(TooOldPolicy.DEAD_LETTER)
        .deadLetters(letter -> {
          if (down.getAndSet(false)) {
            throw new IllegalStateException("no such topic");
          }
          buried.add(letter);
        })
        .leased(marks, this::record));
    clock.advance(BEYOND);

    Outcome refused = receiver.receive(sentThen("a"), PATIENCE).get(0);
    Outcome taken = receiver.receive(sentThen("a"), PATIENCE).get(0);

    assertThat(((Outcome.Deferred) refused).reason()).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    assertThat(taken).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
  }

  @Test
  void an_unjudged_claim_that_was_released_is_judged_at_redelivery() throws Exception {
    claimedElsewhere("busy", true, Duration.ofDays(20));
    clock.advance(BEYOND);
    IdempotentReceiver<String> receiver = burying();
    receiver.receive(sentThen("busy", "a"), PATIENCE);

    Outcome outcome = receiver.receive(sentThen("a"), PATIENCE).get(0);

    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
  }

  @Test
  void what_a_vanished_owner_had_claimed_is_too_old_as_well_and_in_doubt() throws Exception {
    claimedElsewhere("a", true, Duration.ofMinutes(1));
    clock.advance(BEYOND);

    burying().receive(sentThen("a"), PATIENCE);

    assertThat(effects).isEmpty();
    assertThat(buried.get(0).kind()).isEqualTo(DeadLetter.Kind.TOO_OLD);
    assertThat(buried.get(0).inDoubt()).isTrue();
  }

  @Test
  void a_failed_message_that_waits_for_its_next_attempt_is_never_too_old() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver =
        open(telling(TooOldPolicy.DEAD_LETTER).leased(marks, delivery -> {
          if (down.getAndSet(false)) {
            throw new NotAppliedException("gateway down");
          }
          effects.add(delivery.message());
        }));
    receiver.receive(sentThen("a"), PATIENCE);
    clock.advance(BEYOND);

    receiver.receive(sentThen("a"), PATIENCE);

    assertThat(effects).containsExactly("a");
  }

  @Test
  void an_old_message_does_not_join_the_call_of_young_ones() throws Exception {
    List<List<String>> calls = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(telling(TooOldPolicy.DEAD_LETTER)
        .leasedBatches(
            marks,
            deliveries -> calls.add(deliveries.stream().map(Delivery::message).toList())));
    clock.advance(BEYOND);
    List<Incoming<String>> mixed = new ArrayList<>(lane("p0", "a", "b"));
    mixed.addAll(sentThen("old"));
    mixed.addAll(lane("p0", "c"));

    List<Outcome> outcomes = receiver.receive(mixed, PATIENCE);

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(calls).containsExactly(List.of("a", "b"), List.of("c"));
    assertThat(buried).extracting(DeadLetter::message).containsExactly("old");
  }
}
