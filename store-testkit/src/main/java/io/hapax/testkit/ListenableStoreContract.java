package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/**
 * The events of a {@link ListenableStore}, in addition to {@link DedupStoreContract}: the same test
 * class implements both.
 */
public interface ListenableStoreContract extends Bench {

  /** Each call is reported once, with the number of its marks and its duration. */
  @Test
  default void each_call_is_reported_with_its_marks_and_its_time() {
    Claim early = held("early");
    List<StoreCall> calls = RecordedCalls.of(store());

    Claim held = held("m");
    renew(held);
    settle(held, DONE);
    store().now(key("m"));
    store().find(List.of(key("m"), key("n"), key("o")));
    store().list(new MarkQuery(scope(), MarkQuery.Kind.DEAD, 7, Optional.empty()));
    store().resolve(key("early"), early.token(), MarkState.PROCESSING, Resolution.FORCE_DONE);
    store().purge(9);

    assertThat(calls)
        .extracting(StoreCall::verb, StoreCall::marks)
        .containsExactly(
            reported(StoreCall.Verb.CLAIM, 1),
            reported(StoreCall.Verb.RENEW, 1),
            reported(StoreCall.Verb.SETTLE, 1),
            reported(StoreCall.Verb.NOW, 0),
            reported(StoreCall.Verb.FIND, 3),
            reported(StoreCall.Verb.LIST, 7),
            reported(StoreCall.Verb.RESOLVE, 1),
            reported(StoreCall.Verb.PURGE, 9));
    assertThat(calls).allSatisfy(call -> {
      assertThat(call.took()).isPositive();
      assertThat(call.error()).isEmpty();
      assertThat(call.unavailable()).isZero();
    });
  }

  /** An empty call does not reach the store, and a wrong argument is not an error of the store. */
  @Test
  default void calls_that_do_not_reach_the_store_are_not_reported() {
    List<StoreCall> calls = RecordedCalls.of(store());

    store().claim(List.of(), LEASE);
    store().settle(List.of());
    assertThatThrownBy(() -> store().purge(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store().claim(List.of(request("m")), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(calls).isEmpty();
  }

  private static Tuple reported(StoreCall.Verb verb, int marks) {
    return Tuple.tuple(verb, marks);
  }
}
