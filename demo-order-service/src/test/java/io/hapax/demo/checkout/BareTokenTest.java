package io.hapax.demo.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.demo.checkout.Tokens.InvalidTokenException;
import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import io.hapax.demo.scene.Stage;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnStage.class)
class BareTokenTest {

  @Test
  void a_used_token_blocks_the_retry_of_an_order_that_was_never_placed(Servers servers)
      throws Exception {
    Stage stage = servers.stage();
    Tokens tokens = new Tokens(new Ids(), InstantSource.system(), Duration.ofMinutes(1));
    try (Connection connection = stage.database().getConnection()) {
      OrderDesk.create(connection);
      String token = tokens.issue(connection, "ann");

      tokens.use(connection, "ann", token); // the process dies before it places the order

      assertThatThrownBy(() -> tokens.use(connection, "ann", token))
          .isInstanceOf(InvalidTokenException.class);
      assertThat(Sql.number(connection, "SELECT COUNT(*) FROM placed_order")).isZero();
    }
  }
}
