package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreVerb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/**
 * What a {@link ListenableStore} tells, beside {@link DedupStoreContract}: to be implemented by the
 * same test class.
 */
public interface ListenableStoreContract extends OnBench {

  /** Each verb is told once, with its marks and a time that has passed. */
  @Test
  default void each_verb_is_told_with_its_marks_and_its_time() {
    Claim early = bench().held("early");
    List<StoreCall> calls = RecordedCalls.of(bench().store());

    Claim held = bench().held("m");
    bench().renew(held);
    bench().settle(held, Bench.DONE);
    bench().store().find(List.of(bench().key("m"), bench().key("n"), bench().key("o")));
    bench().store().list(new MarkQuery(bench().scope(), MarkQuery.Kind.DEAD, 7, Optional.empty()));
    bench()
        .store()
        .resolve(bench().key("early"), early.token(), MarkState.PROCESSING, Resolution.FORCE_DONE);
    bench().store().purge(9);

    assertThat(calls)
        .extracting(StoreCall::verb, StoreCall::marks)
        .containsExactly(
            told(StoreVerb.CLAIM, 1),
            told(StoreVerb.RENEW, 1),
            told(StoreVerb.SETTLE, 1),
            told(StoreVerb.FIND, 3),
            told(StoreVerb.LIST, 7),
            told(StoreVerb.RESOLVE, 1),
            told(StoreVerb.PURGE, 9));
    assertThat(calls).allSatisfy(call -> {
      assertThat(call.took()).isPositive();
      assertThat(call.error()).isEmpty();
      assertThat(call.unavailable()).isZero();
    });
  }

  /** What asked the store nothing is no call, and a wrong call is not the store's trouble. */
  @Test
  default void what_asks_the_store_nothing_is_not_told() {
    List<StoreCall> calls = RecordedCalls.of(bench().store());

    bench().store().claim(List.of(), Bench.LEASE);
    bench().store().settle(List.of());
    assertThatThrownBy(() -> bench().store().purge(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bench().store().claim(List.of(bench().request("m")), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(calls).isEmpty();
  }

  private static Tuple told(StoreVerb verb, int marks) {
    return Tuple.tuple(verb, marks);
  }
}
