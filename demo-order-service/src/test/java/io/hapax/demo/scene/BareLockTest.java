package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnStage.class)
class BareLockTest {

  @Test
  void a_lock_that_is_released_before_the_commit_lets_two_pass(Servers servers) throws Exception {
    try (RedisLock lock = new RedisLock(servers.redis(), "released-too-early");
        Connection first = servers.postgres().getConnection();
        Connection second = servers.postgres().getConnection()) {
      Sql.createAfresh(first, "payout", "order_id VARCHAR(60) NOT NULL");
      first.setAutoCommit(false);

      lockCheckUpdate(lock, first);
      lockCheckUpdate(lock, second);
      first.commit();
      first.setAutoCommit(true);

      assertThat(Sql.rows(second, "SELECT order_id FROM payout")).hasSize(2);
    }
  }

  private static void lockCheckUpdate(RedisLock lock, Connection transaction) throws SQLException {
    assertThat(lock.tryLock("order-1")).isTrue();
    if (Sql.rows(transaction, "SELECT order_id FROM payout").isEmpty()) {
      Sql.update(transaction, "INSERT INTO payout VALUES ('order-1')");
    }
    lock.unlock("order-1");
  }
}
