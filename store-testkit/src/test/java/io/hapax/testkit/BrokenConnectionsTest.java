package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Proves that the contracts of lost replies, concurrency and restarts detect broken stores. */
class BrokenConnectionsTest {

  /** Short, because a broken store does not recover. */
  private static final Duration SOON = Duration.ofMillis(700);

  @TestFactory
  Stream<DynamicTest> a_test_detects_each_store_that_breaks_when_its_connection_fails() {
    return each(
        BrokenConnections.LOSSY,
        fixture -> new ContractRunner<>(() -> new LossyConnectionContract() {
          @Override
          protected RemoteStoreFixture open() {
            return fixture.get();
          }

          @Override
          protected Duration recoveryTimeout() {
            return SOON;
          }
        }),
        LossyConnectionContract.class);
  }

  @TestFactory
  Stream<DynamicTest> a_test_detects_each_store_that_breaks_when_a_transaction_is_lost() {
    return each(
        BrokenConnections.TRANSACTIONAL,
        fixture -> new ContractRunner<>(() -> new LossyTransactionContract<HeapTransaction>() {
          @Override
          protected RemoteTransactionalStoreFixture<HeapTransaction> open() {
            return fixture.get();
          }

          @Override
          protected Duration recoveryTimeout() {
            return SOON;
          }
        }),
        LossyTransactionContract.class);
  }

  @TestFactory
  Stream<DynamicTest> concurrent_owners_detect_each_broken_store() {
    return each(
        BrokenConnections.CROWDED,
        fixture -> new ContractRunner<>(() -> new ConcurrencyContract() {
          @Override
          protected StoreFixture open() {
            return fixture.get();
          }
        }),
        ConcurrencyContract.class);
  }

  @TestFactory
  Stream<DynamicTest> a_killed_server_detects_each_broken_store() {
    return each(
        BrokenConnections.RESTARTED,
        fixture -> new ContractRunner<>(() -> new RestartContract() {
          @Override
          protected RestartableStoreFixture open() {
            return fixture.get();
          }
        }),
        RestartContract.class);
  }

  private static <F extends StoreFixture, C extends FixtureContract<?>> Stream<DynamicTest> each(
      List<BrokenConnections.Broken<F>> all,
      Function<Supplier<F>, ContractRunner<C>> runner,
      Class<? super C> contract) {
    return all.stream()
        .map(broken -> dynamicTest(
            "a store that " + broken.what(),
            () -> assertThat(runner.apply(broken.fixture()).fails(contract, broken.contractTest()))
                .as(broken.contractTest())
                .isTrue()));
  }
}
