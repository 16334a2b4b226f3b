package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that the contract detects broken stores. */
class BrokenStoresTest {

  private static final String HISTORIES = "random_histories_equal_those_of_the_machine";

  @TestFactory
  Stream<DynamicTest> a_test_of_the_contract_detects_each_broken_store() {
    return BrokenStores.ALL.stream()
        .map(broken -> dynamicTest(
            "a store that " + broken.what(),
            () -> assertThat(failures(broken.opening())).contains(broken.contractTest())));
  }

  @Test
  void a_sound_store_passes_every_test() throws Exception {
    assertThat(failures(MachineStore::new)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "settles without comparing nonce and token",
        "releases by deleting the mark",
        "gives a resend a new token"
      })
  void random_histories_find_a_broken_store(String name) {
    try (StoreFixture fixture = new InMemoryFixture(BrokenStores.that(name).opening())) {
      assertThatThrownBy(() -> RandomHistory.replay(fixture, 300))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("history with seed");
    }
  }

  /** Returns the names of the contract's tests that a store fails, without histories. */
  private static List<String> failures(
      BiFunction<InstantSource, Duration, ? extends DedupStore> opening) {
    return new ContractRunner<>(() -> new DedupStoreContract() {
          @Override
          protected StoreFixture open() {
            return new InMemoryFixture(opening);
          }
        })
        .failures(DedupStoreContract.class, Set.of(HISTORIES));
  }
}
