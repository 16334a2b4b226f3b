package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What is said of lost replies, crowds and restarts is only worth something if it can be broken.
 */
class BrokenConnectionsTest {

  @TestFactory
  Stream<DynamicTest> a_sentence_names_what_is_broken_when_the_way_to_the_server_fails() {
    return each(
        BrokenConnections.LOSSY,
        fixture -> new ContractRunner<>(
            () -> new OpenedConnectionContracts.Lossy(fixture),
            LossyConnectionContract::openStore,
            LossyConnectionContract::closeStore),
        LossyConnectionContract.class);
  }

  @TestFactory
  Stream<DynamicTest> a_sentence_names_what_is_broken_when_a_transaction_gets_lost() {
    return each(
        BrokenConnections.TRANSACTIONAL,
        fixture -> new ContractRunner<>(
            () -> new OpenedConnectionContracts.Transactional(fixture),
            LossyTransactionContract::openStore,
            LossyTransactionContract::closeStore),
        LossyTransactionContract.class);
  }

  @TestFactory
  Stream<DynamicTest> a_crowd_finds_what_is_broken() {
    return each(
        BrokenConnections.CROWDED,
        fixture -> new ContractRunner<>(
            () -> new OpenedConnectionContracts.Crowded(fixture),
            ConcurrencyContract::openStore,
            ConcurrencyContract::closeStore),
        ConcurrencyContract.class);
  }

  @TestFactory
  Stream<DynamicTest> a_killed_server_finds_what_is_broken() {
    return each(
        BrokenConnections.RESTARTED,
        fixture -> new ContractRunner<>(
            () -> new OpenedConnectionContracts.Restarted(fixture),
            RestartContract::openStore,
            RestartContract::closeStore),
        RestartContract.class);
  }

  private static <F extends StoreFixture, C> Stream<DynamicTest> each(
      List<BrokenConnections.Broken<F>> all,
      Function<Supplier<F>, ContractRunner<C>> sentences,
      Class<? super C> contract) {
    return all.stream()
        .map(broken -> dynamicTest(
            "a store that " + broken.what(),
            () -> assertThat(sentences.apply(broken.fixture()).breaks(contract, broken.sentence()))
                .as(broken.sentence())
                .isTrue()));
  }
}
