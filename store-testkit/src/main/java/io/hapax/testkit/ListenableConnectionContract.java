package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreException;
import io.hapax.testkit.fault.FaultProxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The events of a {@link ListenableStore} without its server, in addition to
 * {@link LossyConnectionContract}: the same test class implements both.
 */
public interface ListenableConnectionContract {

  /**
   * Returns the store under test.
   *
   * @return the fixture of {@link LossyConnectionContract}
   */
  RemoteStoreFixture fixture();

  /** A call that ends in a {@link StoreException} is reported once, with its kind of error. */
  @Test
  default void a_call_that_fails_without_its_server_is_reported_as_failed() {
    try (FaultProxy proxy = FaultProxy.before(fixture().ports())) {
      DedupStore store = fixture().through(proxy);
      List<MessageKey> keys =
          List.of(MessageKey.of("reported", "m"), MessageKey.of("reported", "n"));
      store.find(keys);
      List<StoreCall> calls = RecordedCalls.of(store);
      proxy.refuse();

      assertThatThrownBy(() -> store.find(keys)).isInstanceOf(StoreException.class);

      assertThat(calls)
          .extracting(StoreCall::verb, StoreCall::marks, StoreCall::error)
          .containsExactly(tuple(StoreCall.Verb.FIND, 2, Optional.of(StoreCall.ErrorKind.FAILED)));
      assertThat(calls.get(0).took()).isPositive();
    }
  }
}
