package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler returns, and what its duplicates are answered with. */
class ResultTest extends FaultFixture {

  private static final Bytes RECEIPT = Bytes.utf8("receipt 7");

  /** Which duplicate was answered with what. */
  private final List<String> answered = new CopyOnWriteArrayList<>();

  private final AtomicInteger runs = new AtomicInteger();

  private Bytes receipt(Delivery<String> delivery) {
    runs.incrementAndGet();
    return RECEIPT;
  }

  private ReceiverBuilder<String> answering() {
    return builder().onDuplicate((message, result) -> answered.add(message + " " + result));
  }

  @Test
  void a_duplicate_is_answered_with_the_result_of_the_first() throws Exception {
    IdempotentReceiver<String> receiver = open(answering().answering(marks, this::receipt));

    Outcome first = receiveOne(receiver, "a");
    assertThat(((Outcome.Executed) first).result()).isEqualTo(RECEIPT);
    assertThat(answered).isEmpty();

    assertThat(receiveOne(receiver, "a")).isEqualTo(new Outcome.Duplicate(RECEIPT));
    assertThat(answered).containsExactly("a receipt 7");
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("invariant 12: twice in one batch, the second waits for the first")
  void a_duplicate_that_waits_for_the_running_first_gets_its_result_too() throws Exception {
    IdempotentReceiver<String> receiver = open(answering().answering(marks, this::receipt));

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "a", "b"), lane("p1", "a")), PATIENCE);

    assertThat(outcomes).filteredOn(Outcome.Duplicate.class::isInstance).hasSize(2);
    assertThat(answered).containsExactly("a receipt 7", "a receipt 7");
    assertThat(runs).hasValue(2);
  }

  @Test
  @DisplayName("invariant 1: a duplicate that could not be answered is not acknowledged")
  void a_duplicate_that_could_not_be_answered_is_redelivered() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch laneWentOn = new CountDownLatch(2);
    IdempotentReceiver<String> receiver = open(builder()
        .onDuplicate((message, result) -> {
          if (tries.incrementAndGet() == 1) {
            laneWentOn.await(); // one that has failed already stops its lane
            throw new IllegalStateException("the client has gone");
          }
          answered.add(message + " " + result);
        })
        .answering(marks, delivery -> {
          laneWentOn.countDown();
          return receipt(delivery);
        }));
    receiveOne(receiver, "a");

    List<Outcome> outcomes = receive(receiver, "a", "b");

    assertThat(((Outcome.Deferred) outcomes.get(0)).reason()).isEqualTo(Outcome.Reason.RETRY);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
    assertThat(receiveOne(receiver, "a")).isEqualTo(new Outcome.Duplicate(RECEIPT));
    assertThat(answered).containsExactly("a receipt 7");
  }

  @Test
  void each_duplicate_is_answered_once_even_while_its_lane_continues() throws Exception {
    IdempotentReceiver<String> receiver = open(answering().answering(marks, this::receipt));
    String[] messages = {"a", "b", "c", "d", "e", "f"};
    receive(receiver, messages);

    for (int i = 0; i < 20; i++) {
      answered.clear();
      assertThat(receive(receiver, messages)).allMatch(Outcome.Duplicate.class::isInstance);
      assertThat(answered).hasSize(messages.length);
    }
  }

  @Test
  void what_a_probe_found_is_the_answer_to_duplicates_too() throws Exception {
    IdempotentReceiver<String> receiver = open(answering()
        .onUnknownOutcome(UnknownOutcomePolicy.probe(
            delivery -> OutcomeProbe.Answer.applied(RECEIPT),
            new ProbeSettings(Duration.ofSeconds(20), Duration.ZERO)))
        .answering(marks, delivery -> {
          throw new IllegalStateException("the gateway timed out");
        }));
    receiveOne(receiver, "a");
    clock.advance(Duration.ofMinutes(2));

    assertThat(receiveOne(receiver, "a")).isEqualTo(new Outcome.Duplicate(RECEIPT));
    assertThat(answered).containsExactly("a receipt 7");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 8})
  void a_result_over_the_limit_is_not_kept_and_its_effect_is_not_repeated(int limit)
      throws Exception {
    ReceiverBuilder<String> byDefault = builder();
    ReceiverBuilder<String> limited = limit == 4096 ? byDefault : byDefault.resultLimit(limit);
    IdempotentReceiver<String> receiver = open(limited.answering(marks, delivery -> {
      runs.incrementAndGet();
      return Bytes.of(new byte[Integer.parseInt(delivery.message())]);
    }));
    String longest = Integer.toString(limit);
    String tooLong = Integer.toString(limit + 1);

    receive(receiver, longest, tooLong);

    assertThat(mark(longest).detail().length()).isEqualTo(limit);
    assertThat(mark(tooLong).detail()).isEqualTo(Bytes.EMPTY);
    assertThat(receiveOne(receiver, tooLong)).isEqualTo(new Outcome.Duplicate());
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_handler_that_returns_null_has_failed_in_doubt() throws Exception {
    IdempotentReceiver<String> receiver = open(answering().answering(marks, this::nothing));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Deferred.class);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
  }

  @SuppressWarnings("NullAway")
  private Bytes nothing(Delivery<String> delivery) {
    return null;
  }

  @Test
  @DisplayName("invariant 12: an id is taken until its duplicate is answered")
  void closing_while_a_duplicate_is_answered_acknowledges_nothing() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder()
        .onDuplicate((message, result) -> {
          answering.countDown();
          new CountDownLatch(1).await();
        })
        .answering(marks, this::receipt));
    receiveOne(receiver, "a");
    Outcomes outcomes = new Outcomes(1);
    receiver.submit(lane("p0", "a"), outcomes);
    answering.await();

    receiver.close();

    assertThat(outcomes.seen.get(0)).hasSize(1).noneMatch(Outcome::mayAcknowledge);
  }
}
