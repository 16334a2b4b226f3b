package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * How much is claimed ahead where a claim in doubt is not simply run again: what is running, and no
 * more.
 */
class ClaimWindowTest extends FaultFixture {

  private static final int WORKERS = 3;

  /** How many messages each claim asked for. */
  private final List<Integer> claims = new CopyOnWriteArrayList<>();

  private ReceiverBuilder<String> atMostOnce() {
    return builder().workers(WORKERS).onUnknownOutcome(UnknownOutcomePolicy.deadLetter());
  }

  private Object counted(String verb, List<?> items, Call call) throws Throwable {
    if (verb.equals("claim")) {
      claims.add(items.size());
    }
    return call.go();
  }

  private static List<Incoming<String>> lanes(int lanes, int each) {
    List<Incoming<String>> all = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      String name = "p" + lane;
      all.addAll(lane(
          name, IntStream.range(0, each).mapToObj(i -> name + "-" + i).toArray(String[]::new)));
    }
    return all;
  }

  private List<Mark> marksOf(List<Incoming<String>> messages) {
    return messages.stream()
        .flatMap(it -> marks.find(List.of(key(it.message()))).get(0).stream())
        .toList();
  }

  @Test
  @DisplayName("a crash leaves no more in doubt than handlers could run")
  void no_more_is_claimed_than_there_are_workers() throws Exception {
    List<Incoming<String>> messages = lanes(5, 10);
    Semaphore running = new Semaphore(0);
    Semaphore go = new Semaphore(0);
    IdempotentReceiver<String> receiver = open(atMostOnce().leased(marks, delivery -> {
      running.release();
      go.acquire();
    }));

    Submission submission = receiver.submit(messages, IGNORED);
    for (int done = 0; done < 12; done++) {
      running.acquire(WORKERS);
      assertThat(marksOf(messages).stream().filter(it -> it.state() == MarkState.PROCESSING))
          .hasSizeLessThanOrEqualTo(WORKERS);
      running.release(WORKERS - 1);
      go.release();
    }
    go.release(1_000);

    awaitAll(submission);
    assertThat(marksOf(messages)).allMatch(mark -> mark.state() == MarkState.DONE);
  }

  @Test
  void a_lane_keeps_its_order_and_what_is_free_together_is_claimed_together() throws Exception {
    List<Incoming<String>> messages = lanes(WORKERS, 4);
    IdempotentReceiver<String> receiver =
        open(atMostOnce().leased(faulty(this::counted), this::record));

    assertThat(receiver.receive(messages, PATIENCE)).allMatch(Outcome.Executed.class::isInstance);

    for (int lane = 0; lane < WORKERS; lane++) {
      String name = "p" + lane;
      assertThat(effects.stream().filter(it -> it.startsWith(name)))
          .containsExactly(name + "-0", name + "-1", name + "-2", name + "-3");
    }
    assertThat(claims.get(0)).isEqualTo(WORKERS);
  }

  @Test
  @DisplayName("invariant 16: what order forbids to start is not even claimed")
  void behind_a_failure_nothing_is_claimed() throws Exception {
    IdempotentReceiver<String> receiver =
        open(atMostOnce().leased(marks, throwing(new NotAppliedException("gateway down"))));

    List<Outcome> outcomes = receive(receiver, "a", "b", "c");

    assertThat(outcomes)
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .containsExactly(Outcome.Reason.RETRY, Outcome.Reason.BLOCKED, Outcome.Reason.BLOCKED);
    assertThat(marksOf(lane("p0", "b", "c"))).isEmpty();
  }

  @Test
  @DisplayName("invariant 12: what waits for its own id takes no room from it")
  void one_worker_is_enough_for_ids_repeated_in_every_lane() throws Exception {
    List<Incoming<String>> messages = new ArrayList<>(lane("p0", "x", "a", "x", "x", "b"));
    messages.addAll(lane("p1", "b", "x", "a"));
    messages.addAll(lane("p2", "a", "a", "b", "c"));
    IdempotentReceiver<String> receiver = open(atMostOnce().workers(1).leased(marks, this::record));

    List<Outcome> outcomes = receiver.receive(messages, PATIENCE);

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactlyInAnyOrder("x", "a", "b", "c");
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Executed.class); // b, handed in first here
  }

  @Test
  void ten_thousand_of_one_id_in_a_row_run_once() throws Exception {
    IdempotentReceiver<String> receiver = open(atMostOnce().leased(marks, this::record));
    String[] messages = Stream.generate(() -> "a").limit(10_000).toArray(String[]::new);

    assertThat(receive(receiver, messages)).allMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void an_abandoned_submission_ends_what_was_not_claimed_yet() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver =
        open(atMostOnce().leased(marks, delivery -> handler.pass()));
    Outcomes outcomes = new Outcomes(3);
    Submission submission = receiver.submit(lane("p0", "a", "b", "c"), outcomes);
    handler.awaitReached();

    submission.abandon();
    handler.open();

    awaitAll(submission);
    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(marksOf(lane("p0", "b", "c"))).isEmpty();
    Outcome next = receiveOne(receiver, "b");
    assertThat(next).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void messages_without_an_id_and_with_one_go_through_in_order() throws Exception {
    IdempotentReceiver<String> receiver =
        open(atMostOnce().fingerprint(text -> Fingerprint.NONE).leased(marks, this::record));

    List<Outcome> outcomes = receive(receiver, "?1", "a", "?2", "b");

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactly("a", "b");
    assertThat(buried).extracting(DeadLetter::message).containsExactly("?1", "?2");
  }

  @Test
  void a_batch_handler_is_given_what_fits_into_the_window() throws Exception {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver =
        open(atMostOnce().leasedBatches(marks, deliveries -> sizes.add(deliveries.size())));

    List<Outcome> outcomes = receiver.receive(lanes(1, 7), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(sizes).containsExactly(WORKERS, WORKERS, 1);
  }

  @Test
  void messages_in_a_quiet_period_exclude_no_other_message() throws Exception {
    IdempotentReceiver<String> dying =
        open(builder().leased(marks, throwing(new IllegalStateException("who knows"))));
    List<Incoming<String>> doubtful = new ArrayList<>();
    for (int lane = 0; lane < 2 * WORKERS; lane++) {
      doubtful.addAll(lane("p" + lane, "doubt" + lane));
    }
    dying.receive(doubtful, PATIENCE);
    clock.advance(Duration.ofMinutes(2));
    ProbeSettings patient = new ProbeSettings(Duration.ofSeconds(20), Duration.ofDays(1));
    IdempotentReceiver<String> receiver = open(builder()
        .workers(WORKERS)
        .onUnknownOutcome(
            UnknownOutcomePolicy.probe(delivery -> OutcomeProbe.Answer.NOT_APPLIED, patient))
        .leased(marks, this::record));

    receiver.submit(doubtful, IGNORED);
    Outcome sure = receiver.receive(lane("q", "sure"), PATIENCE).get(0);

    assertThat(sure).isInstanceOf(Outcome.Executed.class);
    eventually(
        () -> marksOf(doubtful).stream().allMatch(mark -> mark.state() == MarkState.PROCESSING));
  }
}
