package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.LeftOut;
import org.junit.jupiter.api.Test;

/** Without JPA. */
abstract class JdbcTransactionTests extends TransactionTests {

  @Override
  String[] properties() {
    return new String[] {"spring.autoconfigure.exclude=" + LeftOut.JPA};
  }

  @Test
  void a_nested_service_that_fails_is_undone_alone() throws Exception {
    runOnce(id -> {
      ledger.write(id);
      assertThatThrownBy(() -> ledger.failNested(id)).isInstanceOf(IllegalStateException.class);
    });

    assertDone(1);
  }
}
