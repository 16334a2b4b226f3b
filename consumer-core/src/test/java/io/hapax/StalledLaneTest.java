package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A lane stops at a message whose dead letter is not taken, and health says so until it goes on.
 */
@DisplayName("invariant 14: no lane stops without a reason that health shows")
class StalledLaneTest extends FaultFixture {

  private static final Duration SHORTLY = Duration.ofMillis(10);

  private final Set<String> tooLarge = ConcurrentHashMap.newKeySet();

  /** Dead-letters at once whatever its handler does not take. */
  private ReceiverBuilder<String> burying(Duration pause) {
    return builder()
        .retry(new RetrySettings(1, pause, pause.multipliedBy(100)))
        .deadLetters(letter -> {
          if (tooLarge.contains(letter.message())) {
            throw new IllegalStateException("too large: " + letter.message());
          }
          buried.add(letter);
        });
  }

  private IdempotentReceiver<String> refusing(Duration pause) {
    return open(burying(pause).leased(marks, throwing(new IllegalStateException("poison"))));
  }

  private static Duration pause(Outcome outcome) {
    return ((Outcome.Deferred) outcome).after();
  }

  @Test
  void a_waiting_lane_is_named_although_another_lane_dead_letters() throws Exception {
    tooLarge.add("big");
    IdempotentReceiver<String> receiver = refusing(Duration.ofMinutes(1));
    receive(receiver, "big");

    assertThat(receiver.receive(lane("p1", "small"), PATIENCE).get(0))
        .isInstanceOf(Outcome.DeadLettered.class);

    assertThat(receiver.health().well()).isFalse();
    assertThat(receiver.health().problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .contains("p0@0", "too large: big");
  }

  @Test
  void the_problem_of_a_lane_ends_once_its_record_is_taken() throws Exception {
    tooLarge.addAll(List.of("big", "huge"));
    IdempotentReceiver<String> receiver = refusing(Duration.ofMinutes(1));
    receiver.receive(both(lane("p0", "big"), lane("p1", "huge")), PATIENCE);
    clock.advance(Duration.ofMinutes(2));
    tooLarge.remove("big");

    assertThat(receiveOne(receiver, "big")).isInstanceOf(Outcome.DeadLettered.class);

    assertThat(receiver.health().problems()).extracting(Problem::subject).containsExactly("p1@0");
  }

  @Test
  void the_problem_of_a_lane_ends_once_its_message_is_done_elsewhere() throws Exception {
    tooLarge.add("big");
    IdempotentReceiver<String> receiver = refusing(Duration.ofMinutes(1));
    receive(receiver, "big");
    Mark seen = mark("big");
    marks.resolve(seen.key(), seen.claim().token(), seen.state(), Resolution.FORCE_DONE);

    assertThat(receiveOne(receiver, "big")).isInstanceOf(Outcome.Duplicate.class);

    assertThat(receiver.health().well()).isTrue();
  }

  @Test
  void the_problem_of_a_lane_that_moved_to_another_process_ends() throws Exception {
    tooLarge.add("big");
    IdempotentReceiver<String> receiver = refusing(SHORTLY);

    receive(receiver, "big");

    eventually(() -> receiver.health().well());
  }

  @Test
  void a_lane_is_named_for_as_long_as_its_message_is_tried_again() throws Exception {
    tooLarge.addAll(List.of("big", "huge"));
    Gate again = new Gate();
    IdempotentReceiver<String> receiver = open(burying(SHORTLY)
        .workers(2)
        .notRetryable(error -> true)
        .retry(new RetrySettings(9, SHORTLY, SHORTLY))
        .leased(marks, delivery -> {
          if (delivery.message().equals("big") && delivery.attempt() == 2) {
            again.pass();
          }
          throw new IllegalStateException("poison");
        }));
    receive(receiver, "big");
    clock.advance(Duration.ofMinutes(1));
    receiver.submit(lane("p0", "big"), IGNORED);
    again.awaitReached();

    receiver.receive(lane("p1", "huge"), PATIENCE); // named for as long as p0 was, from now on
    eventually(
        () -> receiver.health().problems().stream().noneMatch(it -> it.subject().equals("p1@0")));

    assertThat(receiver.health().problems()).extracting(Problem::subject).containsExactly("p0@0");
    again.open();
  }

  @Test
  void each_message_waits_by_its_own_refusals() throws Exception {
    tooLarge.addAll(List.of("big", "huge"));
    IdempotentReceiver<String> receiver = refusing(Duration.ofMinutes(1));
    Outcome first = receiveOne(receiver, "big");
    receiver.receive(lane("p1", "small"), PATIENCE);
    clock.advance(Duration.ofMinutes(1));

    Outcome second = receiveOne(receiver, "big");
    Outcome another = receiver.receive(lane("p2", "huge"), PATIENCE).get(0);

    assertThat(pause(first)).isEqualTo(Duration.ofMinutes(1));
    assertThat(pause(second)).isEqualTo(Duration.ofMinutes(2));
    assertThat(pause(another)).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void of_two_whose_long_ids_begin_alike_the_one_that_still_waits_stays_named() throws Exception {
    String alike = "a".repeat(100);
    tooLarge.addAll(List.of(alike + 1, alike + 2));
    IdempotentReceiver<String> receiver = open(burying(Duration.ofMinutes(1))
        .fingerprint(text -> Fingerprint.NONE)
        .leased(marks, throwing(new IllegalStateException("poison"))));
    receiver.receive(both(lane("p0", alike + 1), lane("p1", alike + 2)), PATIENCE);
    clock.advance(Duration.ofMinutes(2));
    tooLarge.remove(alike + 1);

    assertThat(receiver.receive(lane("p0", alike + 1), PATIENCE).get(0))
        .isInstanceOf(Outcome.DeadLettered.class);

    assertThat(receiver.health().problems()).extracting(Problem::subject).containsExactly("p1@0");
  }

  @Test
  void a_lane_may_be_paused_for_a_hundred_years() throws Exception {
    Duration longest = Duration.ofDays(36_500);
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> Optional.empty())
        .missingId(MissingIdPolicy.FAIL)
        .retry(new RetrySettings(3, Duration.ofMinutes(1), longest))
        .leased(marks, delivery -> {}));

    Outcome outcome = receiveOne(receiver, "anonymous");

    assertThat(((Outcome.Deferred) outcome).reason()).isEqualTo(Outcome.Reason.MISSING_ID);
    assertThat(pause(outcome)).isEqualTo(longest);
  }

  @Test
  void pauses_grow_though_the_message_comes_later_than_it_was_to() throws Exception {
    tooLarge.add("big");
    IdempotentReceiver<String> receiver = refusing(SHORTLY);
    receive(receiver, "big");
    eventually(() -> receiver.health().well());
    clock.advance(Duration.ofMinutes(1));

    Outcome second = receiveOne(receiver, "big");

    assertThat(pause(second)).isEqualTo(SHORTLY.multipliedBy(2));
  }
}
