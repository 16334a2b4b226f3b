package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.adapter.Outcome;
import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A leased handler that takes many messages at once. */
class BatchHandlerTest extends FaultFixture {

  private final List<List<String>> calls = new CopyOnWriteArrayList<>();

  private IdempotentReceiver<String> recording(BatchHandler<String> then) {
    return open(builder().leasedBatches(marks, deliveries -> {
      calls.add(deliveries.stream().map(Delivery::message).toList());
      then.handle(deliveries);
    }));
  }

  @Test
  void adjacent_messages_of_a_lane_are_handled_in_one_call() throws Exception {
    IdempotentReceiver<String> receiver = recording(deliveries -> {});
    receive(receiver, "c");

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "b", "c", "d"), lane("p1", "x", "y")), PATIENCE);

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(calls)
        .containsExactlyInAnyOrder(
            List.of("c"), List.of("a", "b"), List.of("d"), List.of("x", "y"));
    assertThat(mark("b").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void after_a_call_that_failed_each_message_is_handled_alone() throws Exception {
    IdempotentReceiver<String> receiver = recording(deliveries -> {
      if (deliveries.stream().anyMatch(it -> it.message().equals("poison"))) {
        throw new IllegalStateException("no such item");
      }
    });
    List<Outcome> first = receive(receiver, "a", "poison", "b");
    clock.advance(Duration.ofMinutes(2));

    List<Outcome> second = receive(receiver, "a", "poison", "b");

    assertThat(first).allMatch(it -> reason(it) == Outcome.Reason.RETRY);
    assertThat(second.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(reason(second.get(1))).isEqualTo(Outcome.Reason.RETRY);
    assertThat(reason(second.get(2))).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(calls).containsExactly(List.of("a", "poison", "b"), List.of("a"), List.of("poison"));
  }

  @Test
  void a_message_in_its_second_attempt_does_not_join_the_call_of_another() throws Exception {
    IdempotentReceiver<String> receiver = recording(deliveries -> {
      if (deliveries.get(0).message().equals("poison") && deliveries.get(0).attempt() == 1) {
        throw new IllegalStateException("no such item");
      }
    });
    receive(receiver, "poison");
    clock.advance(Duration.ofMinutes(2));

    receive(receiver, "a", "poison", "b");

    assertThat(calls)
        .containsExactly(List.of("poison"), List.of("a"), List.of("poison"), List.of("b"));
  }

  @Test
  void a_failed_call_leaves_its_messages_in_doubt_unless_it_was_not_applied() throws Exception {
    recording(deliveries -> {
          throw new IllegalStateException("who knows");
        })
        .receive(lane("p0", "a", "b"), PATIENCE);
    recording(deliveries -> {
          throw new NotAppliedException("not even begun");
        })
        .receive(lane("p0", "c", "d"), PATIENCE);

    assertThat(List.of("a", "b")).allMatch(id -> mark(id).claim().attempt().inDoubt());
    assertThat(List.of("c", "d")).noneMatch(id -> mark(id).claim().attempt().inDoubt());
  }

  static Stream<Arguments> failuresOfTheRest() {
    return Stream.of(
        arguments(new NotAppliedException("the rest is refused"), Outcome.Reason.RETRY, 1),
        arguments(new DeferredException(Duration.ofMinutes(10)), Outcome.Reason.DEFERRED, 0));
  }

  @ParameterizedTest
  @MethodSource("failuresOfTheRest")
  void in_a_partly_handled_call_the_first_are_done_and_the_rest_fails_or_is_deferred(
      Exception failure, Outcome.Reason reason, int attempts) throws Exception {
    IdempotentReceiver<String> receiver = recording(deliveries -> {
      throw new PartlyHandledException(1, failure);
    });

    List<Outcome> outcomes = receive(receiver, "a", "b", "c");

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(outcomes.subList(1, 3)).extracting(FaultFixture::reason).containsOnly(reason);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(List.of("b", "c")).noneMatch(id -> mark(id).claim().attempt().inDoubt());
    assertThat(mark("c").claim().attempt().number()).isEqualTo(attempts);
  }

  @Test
  void a_message_taken_over_from_a_vanished_owner_is_handled_alone() throws Exception {
    lost(false, "b");

    recording(deliveries -> {}).receive(lane("p0", "a", "b", "c", "d"), PATIENCE);

    assertThat(calls).containsExactly(List.of("a"), List.of("b"), List.of("c", "d"));
  }
}
