package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalMariaDb;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Encrypted connections, which the other MariaDB servers of these tests do not offer. */
@Tag("nightly")
class MariaDbTlsTest extends StoreTests {

  private static LocalMariaDb server;

  /** Starts a server that makes its own certificate, which takes some seconds. */
  @BeforeAll
  static void startServer() {
    server = LocalMariaDb.builder().setting("ssl", "ON").start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  JdbcFixture open() {
    String url = server.createDatabase("marks") + "?sslMode=trust";
    return new JdbcFixture(() -> Databases.mariaDb(server, url));
  }

  private static String cipher(HikariDataSource pool) {
    return Jdbi.create(pool)
        .withHandle(handle -> handle
            .createQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
            .map((row, context) -> row.getString(2))
            .one());
  }

  @Test
  void marks_and_effects_go_encrypted_through_either_driver() throws Exception {
    for (String url : List.of(
        server.jdbcUrl("marks") + "?sslMode=trust",
        server.mysqlUrl("marks") + "?sslMode=REQUIRED")) {
      try (HikariDataSource pool = Databases.mariaDb(server, url)) {
        JdbcDedupStore store = fixture.storeOn(pool);
        String id = url.split(":", 3)[1];

        Acquired leased =
            (Acquired) store.claim(List.of(request(id + "/leased")), LEASE).get(0);
        List<SettleAnswer> settled =
            store.settle(List.of(new Settlement(leased.claim(), Verdict.Done.WITHOUT_RESULT)));
        runOnce(store, List.of(request(id)));

        assertThat(cipher(pool)).as(id).isNotEmpty();
        assertThat(settled).containsExactly(new SettleAnswer.Settled(false));
        assertThat(state(id)).isEqualTo(MarkState.DONE);
        assertThat(effects(id)).isOne();
      }
    }
  }
}
