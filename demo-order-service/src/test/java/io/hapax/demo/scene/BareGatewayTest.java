package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpTimeoutException;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(OnStage.class)
class BareGatewayTest {

  @Test
  void a_query_that_is_asked_too_early_lets_the_customer_pay_twice() throws Exception {
    Duration late = Duration.ofSeconds(10); // on a loaded machine the query is late
    try (Gateway started = new Gateway(false, late)) {
      GatewayClient gateway = started.client();
      assertThatThrownBy(() -> gateway.charge("slow-1", 5))
          .isInstanceOf(HttpTimeoutException.class);

      assertThat(gateway.find("slow-1")).isEmpty();
      gateway.charge("slow-1", 5);

      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(HttpTimeoutException.class)
          .untilAsserted(() -> assertThat(gateway.find("slow-1")).hasSize(2));
    }
  }

  @Test
  void a_dedup_table_cannot_roll_back_a_charge(Servers servers) throws Exception {
    try (Gateway gateway = new Gateway(false, Duration.ZERO);
        Connection connection = servers.postgres().getConnection()) {
      Sql.createAfresh(connection, "known_order", "order_id VARCHAR(60) PRIMARY KEY");
      connection.setAutoCommit(false);
      Sql.update(connection, "INSERT INTO known_order VALUES ('order-1')");
      gateway.client().charge("order-1", 5);
      connection.rollback(); // the process dies before the commit

      Sql.update(connection, "INSERT INTO known_order VALUES ('order-1')");
      gateway.client().charge("order-1", 5);
      connection.commit();
      connection.setAutoCommit(true);

      assertThat(gateway.client().find("order-1")).hasSize(2);
    }
  }
}
