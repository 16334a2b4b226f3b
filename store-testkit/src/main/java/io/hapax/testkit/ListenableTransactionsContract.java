package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.mark.Claim;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreErrorKind;
import io.hapax.store.StoreVerb;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What a transactional {@link ListenableStore} tells, beside
 * {@link TransactionalDedupStoreContract}: to be implemented by the same test class.
 *
 * @param <T> the transaction's handle
 */
public interface ListenableTransactionsContract<T> extends OnTransactionalBench<T> {

  /** Each is told once, with its marks; that the work threw is not the store's trouble. */
  @Test
  default void transactions_are_told_with_their_marks_and_whose_trouble_it_was() throws Exception {
    Claim held = bench().held("held");
    List<StoreCall> calls = RecordedCalls.of(transactions().store());

    transactions()
        .store()
        .runOnce(
            List.of(bench().request("a"), bench().request("b")), transactions().effectOfEach());
    transactions().completeWith(held, "held");
    assertThatThrownBy(() -> transactions()
            .store()
            .runOnce(List.of(bench().request("c")), (transaction, answers) -> {
              throw new WorkFailedException();
            }))
        .isInstanceOf(WorkFailedException.class);

    assertThat(calls)
        .extracting(StoreCall::verb, StoreCall::marks, StoreCall::error)
        .containsExactly(
            tuple(StoreVerb.RUN_ONCE, 2, Optional.empty()),
            tuple(StoreVerb.COMPLETE_WITH, 1, Optional.empty()),
            tuple(StoreVerb.RUN_ONCE, 1, Optional.of(StoreErrorKind.CALLER)));
    assertThat(calls).allSatisfy(call -> assertThat(call.took()).isPositive());
  }
}
