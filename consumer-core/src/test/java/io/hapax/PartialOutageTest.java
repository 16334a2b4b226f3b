package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a receiver makes of a store of several parts when some of them, or all, are away. */
class PartialOutageTest extends FailOpenFixture {

  @Test
  @DisplayName("invariant 16: a claim is not kept unstarted because another lane's shard is away")
  void a_lane_whose_shard_answers_runs_while_another_shard_is_away() throws Exception {
    away = true;
    Fault shard = (verb, items, call) -> {
      Object answers = call.go();
      if (!verb.equals("claim") || !away) {
        return answers;
      }
      List<Object> some = new ArrayList<>();
      for (int i = 0; i < items.size(); i++) {
        boolean lost = ((ClaimRequest) items.get(i)).key().equals(key("b"));
        some.add(lost ? new ClaimAnswer.Unavailable("shard 2") : ((List<?>) answers).get(i));
      }
      return some;
    };
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(shard), delivery -> effects.add(delivery.message())));
    Outcomes outcomes = new Outcomes(2);

    Submission submission = receiver.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    boolean ran = outcomes.awaitFirst();
    away = false;
    submission.await(PATIENCE);

    assertThat(ran)
        .as("the message of the healthy shard was executed during the outage")
        .isTrue();
  }

  /** A store of two nodes; ids with a b live on the one that is away. */
  private DedupStore halfAway() {
    return faulty((verb, items, call) -> {
      if (!verb.equals("claim")) {
        return call.go();
      }
      List<Object> answers = new ArrayList<>((List<?>) call.go());
      for (int i = 0; i < items.size(); i++) {
        if (((ClaimRequest) items.get(i)).key().id().toString().contains("b")) {
          answers.set(i, new ClaimAnswer.Unavailable("node 7 is away"));
          failures.incrementAndGet();
        }
      }
      return answers;
    });
  }

  @Test
  void only_messages_of_the_unavailable_part_of_a_store_run_unprotected() throws Exception {
    Engine<String> engine = recording(halfAway());
    Outcomes outcomes = new Outcomes(2);
    engine.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    awaitFailures(1);

    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    engine.receive(lane("p2", "c"), PATIENCE); // the others answer all the time
    awaitFailures(2);
    assertThat(outcomes.seen.get(1)).isEmpty();
    nanos.addAndGet(1);
    awaitOutcomes(outcomes);

    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(engine.receive(lane("p2", "d"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(bypassed).containsExactly("NOT_CLAIMED b");
  }

  @Test
  void a_call_of_which_a_part_is_answered_is_no_call_that_failed() throws Exception {
    Engine<String> engine = recording(halfAway());
    engine.receive(lane("p0", "a0", "a1", "a2", "a3"), PATIENCE); // settling is an answer, too
    for (int i = 0; i < 4; i++) {
      Outcomes outcomes = new Outcomes(2);
      engine.submit(both(lane("p" + i, "a" + i), lane("q" + i, "b" + i)), outcomes);
      Awaitility.await().atMost(PATIENCE).until(() -> !outcomes.seen.get(0).isEmpty());
      assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Duplicate.class);
      nanos.addAndGet(HALF.toNanos());
    }

    assertThat(effects.subList(0, 4)).containsExactly("a0", "a1", "a2", "a3");
    assertThat(bypassed).noneMatch(it -> it.startsWith("NOT_CLAIMED a"));
  }

  @Test
  void a_store_all_of_whose_parts_are_away_is_not_waited_for_again() throws Exception {
    Engine<String> engine = recording(faulty((verb, items, call) -> {
      if (!away) {
        return call.go();
      }
      failures.incrementAndGet();
      return items.stream()
          .map(it -> (ClaimAnswer) new ClaimAnswer.Unavailable("its node is away"))
          .toList();
    }));
    engine.receive(lane("p0", "before"), PATIENCE);
    bypassing(engine);

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(bypassed).containsExactly("NOT_CLAIMED first", "NOT_CLAIMED a");
  }
}
