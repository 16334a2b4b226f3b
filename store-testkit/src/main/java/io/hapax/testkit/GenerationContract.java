package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The generation of a consumer, which the store keeps as marks of its own. */
interface GenerationContract extends Bench {

  private int current(String consumer) {
    return Generations.current(store(), consumer);
  }

  private GenerationMove advance(String consumer, int expected) {
    return Generations.advance(store(), consumer, expected);
  }

  @Test
  default void a_generation_begins_at_0_and_moves_by_one_for_every_process() {
    assertThat(current(scope())).isZero();
    assertThat(advance(scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
    assertThat(Generations.current(other(), scope())).isEqualTo(1);
    assertThat(Generations.scope(other(), scope())).isEqualTo(scope() + "#1");
  }

  @Test
  default void a_move_from_another_generation_changes_nothing() {
    advance(scope(), 0);

    for (int expected : List.of(-1, 0, 2, 3)) {
      assertThat(advance(scope(), expected)).isEqualTo(new GenerationMove.Unexpected(1));
    }

    assertThat(current(scope())).isEqualTo(1);
  }

  @Test
  default void a_generation_may_be_moved_many_times() {
    for (int generation = 0; generation < 9; generation++) {
      assertThat(current(scope())).isEqualTo(generation);
      assertThat(advance(scope(), generation)).isEqualTo(new GenerationMove.Moved(generation + 1));
    }

    assertThat(Generations.current(other(), scope())).isEqualTo(9);
  }

  @Test
  default void one_of_many_concurrent_moves_of_a_generation_succeeds() throws Exception {
    List<GenerationMove> moves = ConcurrentRun.<GenerationMove>atOnce(
        8, i -> () -> Generations.advance(i % 2 == 0 ? store() : other(), scope(), 0));

    assertThat(moves)
        .containsOnlyOnce(new GenerationMove.Moved(1))
        .containsOnly(new GenerationMove.Moved(1), new GenerationMove.Unexpected(1));
    assertThat(current(scope())).isEqualTo(1);
  }

  @Test
  default void consumers_with_similar_names_keep_their_generation() {
    List<String> others = List.of(
        scope() + " ",
        scope() + "#",
        scope() + "/1",
        scope() + "/",
        scope() + "%2F1",
        scope() + "'; --",
        scope() + "\u0308",
        scope() + "X",
        scope() + "x");

    advance(scope(), 0);
    assertThat(others).allSatisfy(other -> assertThat(current(other)).isZero());

    assertThat(others)
        .allSatisfy(other -> assertThat(advance(other, 0)).isEqualTo(new GenerationMove.Moved(1)));
    assertThat(current(scope())).isEqualTo(1);
  }

  @Test
  default void no_time_and_no_purge_takes_a_generation_away() {
    advance(scope(), 0);
    advance(scope(), 1);

    advance(fixture().retention().plus(Duration.ofDays(400)));
    purgeAll();

    assertThat(current(scope())).isEqualTo(2);
    assertThat(advance(scope(), 1)).isEqualTo(new GenerationMove.Unexpected(2));
  }

  @Test
  default void no_list_shows_a_generation() {
    advance(scope(), 0);
    endRetention();

    for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
      for (String scope : List.of(scope(), scope() + "#1", "generations#0")) {
        assertThat(store().list(MarkQuery.first(scope, kind, MarkQuery.MAX_LIMIT)))
            .as("%s of %s", kind, scope)
            .isEmpty();
      }
    }
  }

  @Test
  default void a_generation_stays_while_a_message_of_it_is_worked_on() {
    Claim held = held("held");

    assertThat(advance(scope(), 0))
        .isInstanceOfSatisfying(
            GenerationMove.GroupRuns.class,
            refusal -> assertThat(refusal.leased()).extracting(Mark::claim).containsExactly(held));
    assertThat(current(scope())).isZero();

    settle(held, DONE);
    assertThat(advance(scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
  }

  @Test
  default void a_generation_moves_over_what_vanished_owners_and_failures_left() {
    held("lost");
    expireLease();
    settled("dead", DEAD);
    settled("later", RETRY_LATER);

    assertThat(advance(scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
  }

  @Test
  default void a_new_generation_and_the_old_one_do_not_affect_each_other() {
    Claim before = settled("m", DONE);
    advance(scope(), 0);
    MessageKey again = MessageKey.of(new ConsumerScope(scope(), 1).joined(), "m");

    ClaimAnswer.Acquired acquired = acquire(Bench.request(again));

    assertThat(acquired.kind()).isEqualTo(Kind.FRESH);
    assertThat(state("m")).isEqualTo(MarkState.DONE);
    assertThat(store().claim(List.of(request("m")), LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(before.key()).isNotEqualTo(again);
  }
}
