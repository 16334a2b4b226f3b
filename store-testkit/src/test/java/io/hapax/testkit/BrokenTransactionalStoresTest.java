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

/** The transactional contract is only worth something if a broken store breaks it. */
class BrokenTransactionalStoresTest {

  /** Owners in a race are right or wrong by chance, and wait for each other. */
  private static final Set<String> RACES = Set.of(
      "of_many_who_run_the_same_messages_each_effect_is_committed_once",
      "whoever_waits_too_long_for_a_mark_finds_its_whole_batch_busy",
      "nobody_takes_over_what_is_being_completed_whatever_its_lease_says");

  @TestFactory
  Stream<DynamicTest> a_sentence_of_the_contract_names_what_is_broken() {
    return BrokenTransactionalStores.ALL.stream()
        .map(broken -> dynamicTest(
            "a store that " + broken.what(),
            () -> assertThat(brokenSentences(broken.opening())).contains(broken.sentence())));
  }

  @Test
  void a_sound_store_breaks_no_sentence() {
    assertThat(brokenSentences(UndoableStore::new)).isEmpty();
  }

  /** The names of the contract's tests that a store fails, without races. */
  private static List<String> brokenSentences(
      BiFunction<InstantSource, Duration, UndoableStore> opening) {
    return new ContractRunner<>(
            () -> new OpenedTransactionalContract(opening),
            OpenedTransactionalContract::openStore,
            OpenedTransactionalContract::closeStore)
        .of(TransactionalDedupStoreContract.class, RACES);
  }
}
