package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.mark.Claim;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The events of a transactional {@link ListenableStore}, in addition to
 * {@link TransactionalDedupStoreContract}: the same test class implements both.
 *
 * @param <T> the transaction's handle
 */
public interface ListenableTransactionsContract<T> extends TransactionalBench<T> {

  /**
   * Each transaction is reported once, with its marks; an exception of the work is not an error of
   * the store.
   */
  @Test
  default void transactions_are_reported_with_their_marks_and_kind_of_error() throws Exception {
    Claim held = held("held");
    List<StoreCall> calls = RecordedCalls.of(store());

    store().runOnce(List.of(request("a"), request("b")), effectOfEach());
    store().findDone(List.of(request("a"), request("x")));
    completeWith(held, "held");
    assertFails(List.of(request("c")), new WorkFailedException());

    assertThat(calls)
        .extracting(StoreCall::verb, StoreCall::marks, StoreCall::error)
        .containsExactly(
            tuple(StoreCall.Verb.RUN_ONCE, 2, Optional.empty()),
            tuple(StoreCall.Verb.FIND_DONE, 2, Optional.empty()),
            tuple(StoreCall.Verb.COMPLETE_WITH, 1, Optional.empty()),
            tuple(StoreCall.Verb.RUN_ONCE, 1, Optional.of(StoreCall.ErrorKind.CALLER)));
    assertThat(calls).allSatisfy(call -> assertThat(call.took()).isPositive());
  }
}
