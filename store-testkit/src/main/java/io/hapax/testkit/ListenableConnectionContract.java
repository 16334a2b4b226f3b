package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreErrorKind;
import io.hapax.store.StoreException;
import io.hapax.store.StoreVerb;
import io.hapax.testkit.fault.FaultProxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What a {@link ListenableStore} tells when its server is gone, beside
 * {@link LossyConnectionContract}: to be implemented by the same test class.
 */
public interface ListenableConnectionContract extends OnLossyConnection {

  /** What ends in a {@link StoreException} is told once, and as what it is. */
  @Test
  default void a_verb_that_fails_because_its_server_is_gone_is_told_as_failed() {
    try (FaultProxy proxy = FaultProxy.before(fixture().ports())) {
      DedupStore store = fixture().through(proxy);
      List<MessageKey> keys = List.of(MessageKey.of("told", "m"), MessageKey.of("told", "n"));
      store.find(keys);
      List<StoreCall> calls = RecordedCalls.of(store);
      proxy.refuse();

      assertThatThrownBy(() -> store.find(keys)).isInstanceOf(StoreException.class);

      assertThat(calls)
          .extracting(StoreCall::verb, StoreCall::marks, StoreCall::error)
          .containsExactly(tuple(StoreVerb.FIND, 2, Optional.of(StoreErrorKind.FAILED)));
      assertThat(calls.get(0).took()).isPositive();
    }
  }
}
