package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Proves that the transactional contract detects broken stores. */
class BrokenTransactionalStoresTest {

  /** Races are right or wrong by chance, and their owners wait for each other. */
  private static final Set<String> RACES = Set.of(
      "concurrent_runs_commit_each_effect_once",
      "a_transaction_that_waits_too_long_finds_its_batch_busy",
      "a_claim_under_completion_is_not_taken_over_after_its_lease");

  @TestFactory
  Stream<DynamicTest> a_test_of_the_contract_detects_each_broken_store() {
    return BrokenTransactionalStores.ALL.stream()
        .map(broken -> dynamicTest(
            "a store that " + broken.what(),
            () -> assertThat(failures(broken.opening())).contains(broken.contractTest())));
  }

  @Test
  void a_sound_store_passes_every_test() {
    assertThat(failures(UndoableStore::new)).isEmpty();
  }

  /** Returns the names of the contract's tests that a store fails, without races. */
  private static List<String> failures(BiFunction<InstantSource, Duration, UndoableStore> opening) {
    return new ContractRunner<>(() -> new TransactionalDedupStoreContract<HeapTransaction>() {
          @Override
          protected TransactionalStoreFixture<HeapTransaction> open() {
            return new UndoableFixture(opening);
          }
        })
        .failures(TransactionalDedupStoreContract.class, RACES);
  }
}
