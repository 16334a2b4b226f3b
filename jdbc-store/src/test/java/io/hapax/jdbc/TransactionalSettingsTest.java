package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.mark.Bytes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is refused in transactional mode, before anything runs. */
class TransactionalSettingsTest extends TransactionalFixture {

  @Test
  void a_store_configured_as_never_transactional_is_refused_at_once() {
    JdbcDedupStore leased =
        JdbcDedupStore.builder(database).createIfAbsent().leasedOnly().build();

    assertThatThrownBy(() -> IdempotentReceiver.<String>builder("orders")
            .id(text -> Optional.of(Bytes.utf8(text)))
            .noFingerprint()
            .transactional(leased, TransactionalHandler.forEach((transaction, delivery) -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leasedOnly is true");
  }

  @Test
  void a_stale_policy_is_refused_where_nothing_can_be_in_doubt() {
    ReceiverBuilder<String> builder = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .onUnknownOutcome(UnknownOutcomePolicy.deadLetter());

    assertThatThrownBy(() -> builder.transactional(store, (transaction, deliveries) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("onUnknownOutcome is not rerun()");
  }

  @Test
  void shadow_mode_is_refused_where_effects_and_marks_are_committed_together() {
    ReceiverBuilder<String> builder = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .shadow();

    assertThatThrownBy(() -> builder.transactional(store, (transaction, deliveries) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("shadow is set but must not be in transactional mode");
  }
}
