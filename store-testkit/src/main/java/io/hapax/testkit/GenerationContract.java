package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.LEASE;
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
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The generation of a consumer, which the store keeps as marks of its own. */
interface GenerationContract extends OnBench {

  private int current(String consumer) {
    return Generations.current(store(), consumer);
  }

  private GenerationMove advance(String consumer, int expected) {
    return Generations.advance(store(), consumer, expected);
  }

  @Test
  default void a_generation_begins_at_0_and_moves_by_one_for_every_process() {
    assertThat(current(bench().scope())).isZero();
    assertThat(advance(bench().scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
    assertThat(Generations.current(bench().other(), bench().scope())).isEqualTo(1);
    assertThat(Generations.scope(bench().other(), bench().scope()))
        .isEqualTo(bench().scope() + "#1");
  }

  @Test
  default void a_move_from_another_generation_changes_nothing() {
    advance(bench().scope(), 0);

    for (int expected : List.of(-1, 0, 2, 3)) {
      assertThat(advance(bench().scope(), expected)).isEqualTo(new GenerationMove.Unexpected(1));
    }

    assertThat(current(bench().scope())).isEqualTo(1);
  }

  @Test
  default void a_generation_may_be_moved_many_times() {
    for (int generation = 0; generation < 9; generation++) {
      assertThat(current(bench().scope())).isEqualTo(generation);
      assertThat(advance(bench().scope(), generation))
          .isEqualTo(new GenerationMove.Moved(generation + 1));
    }

    assertThat(Generations.current(bench().other(), bench().scope())).isEqualTo(9);
  }

  @Test
  default void one_of_many_concurrent_moves_of_a_generation_succeeds() throws Exception {
    List<Callable<GenerationMove>> operators = IntStream.range(0, 8)
        .<Callable<GenerationMove>>mapToObj(i -> () -> {
          DedupStore store = i % 2 == 0 ? store() : bench().other();
          return Generations.advance(store, bench().scope(), 0);
        })
        .toList();

    List<GenerationMove> moves = ConcurrentRun.atOnce(operators);

    assertThat(moves)
        .containsOnlyOnce(new GenerationMove.Moved(1))
        .containsOnly(new GenerationMove.Moved(1), new GenerationMove.Unexpected(1));
    assertThat(current(bench().scope())).isEqualTo(1);
  }

  @Test
  default void consumers_with_similar_names_keep_their_generation() {
    List<String> others = List.of(
        bench().scope() + " ",
        bench().scope() + "#",
        bench().scope() + "/1",
        bench().scope() + "/",
        bench().scope() + "%2F1",
        bench().scope() + "'; --",
        bench().scope() + "\u0308",
        bench().scope() + "X",
        bench().scope() + "x");

    advance(bench().scope(), 0);
    assertThat(others).allSatisfy(other -> assertThat(current(other)).isZero());

    assertThat(others)
        .allSatisfy(other -> assertThat(advance(other, 0)).isEqualTo(new GenerationMove.Moved(1)));
    assertThat(current(bench().scope())).isEqualTo(1);
  }

  @Test
  default void no_time_and_no_purge_takes_a_generation_away() {
    advance(bench().scope(), 0);
    advance(bench().scope(), 1);

    bench().advance(bench().fixture().retention().plus(Duration.ofDays(400)));
    bench().purgeAll();

    assertThat(current(bench().scope())).isEqualTo(2);
    assertThat(advance(bench().scope(), 1)).isEqualTo(new GenerationMove.Unexpected(2));
  }

  @Test
  default void no_list_shows_a_generation() {
    advance(bench().scope(), 0);
    bench().advance(bench().fixture().retention().plusSeconds(1));

    for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
      for (String scope : List.of(bench().scope(), bench().scope() + "#1", "generations#0")) {
        assertThat(store().list(MarkQuery.first(scope, kind, MarkQuery.MAX_LIMIT)))
            .as("%s of %s", kind, scope)
            .isEmpty();
      }
    }
  }

  @Test
  default void a_generation_stays_while_a_message_of_it_is_worked_on() {
    Claim held = bench().held("held");

    assertThat(advance(bench().scope(), 0))
        .isInstanceOfSatisfying(
            GenerationMove.GroupRuns.class,
            refusal -> assertThat(refusal.leased()).extracting(Mark::claim).containsExactly(held));
    assertThat(current(bench().scope())).isZero();

    bench().settle(held, DONE);
    assertThat(advance(bench().scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
  }

  @Test
  default void a_generation_moves_over_what_vanished_owners_and_failures_left() {
    bench().held("lost");
    bench().expireLease();
    bench().settled("dead", DEAD);
    bench().settled("later", Bench.RETRY_LATER);

    assertThat(advance(bench().scope(), 0)).isEqualTo(new GenerationMove.Moved(1));
  }

  @Test
  default void a_new_generation_and_the_old_one_do_not_affect_each_other() {
    Claim before = bench().settled("m", DONE);
    advance(bench().scope(), 0);
    MessageKey again = MessageKey.of(new ConsumerScope(bench().scope(), 1).joined(), "m");

    ClaimAnswer.Acquired acquired = bench().acquire(Bench.request(again));

    assertThat(acquired.kind()).isEqualTo(Kind.FRESH);
    assertThat(bench().state("m")).isEqualTo(MarkState.DONE);
    assertThat(store().claim(List.of(bench().request("m")), LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(before.key()).isNotEqualTo(again);
  }
}
