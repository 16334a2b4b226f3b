package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy may send a read with autocommit to a replica, which shows old marks. */
@Timeout(300)
class ReplicaTest {

  private static final List<ClaimRequest> REQUEST = List.of(new ClaimRequest(
      MessageKey.of("orders", "m"),
      new Nonce(1, 2),
      Fingerprint.NONE,
      Origin.NONE,
      new ClaimTerms(false, false, ClaimTerms.ANY_TIME)));

  private static void assertDone(JdbcDedupStore store, boolean found) {
    assertThat(store.findDone(REQUEST).get(0).isPresent()).isEqualTo(found);
    assertThat(store.find(List.of(REQUEST.get(0).key())).get(0)).as("its mark").isPresent();
  }

  @Test
  void nothing_is_found_on_a_standby_of_postgresql() throws Exception {
    try (LocalPostgres server = LocalPostgres.start()) {
      String data;
      try (HikariDataSource pool = Databases.postgres(server, server.jdbcUrl());
          JdbcDedupStore store = JdbcDedupStore.builder(pool).createIfAbsent().build()) {
        store.runOnce(REQUEST, (connection, answers) -> {});
        assertDone(store, true);
        data = Jdbi.create(pool)
            .withHandle(handle ->
                handle.createQuery("SHOW data_directory").mapTo(String.class).one());
      }
      Files.createFile(Path.of(data, "standby.signal"));
      server.restart();
      try (HikariDataSource pool = Databases.postgres(server, server.jdbcUrl());
          JdbcDedupStore store =
              JdbcDedupStore.builder(pool).noBackgroundPurge().build()) {
        assertDone(store, false);
      }
    }
  }

  @Tag("nightly")
  @Test
  void nothing_is_found_on_a_server_of_mariadb_that_is_read_only() {
    try (LocalMariaDb server = LocalMariaDb.start();
        HikariDataSource pool = Databases.mariaDb(server, server.createDatabase("marks"));
        JdbcDedupStore store = JdbcDedupStore.builder(pool).createIfAbsent().build()) {
      store.runOnce(REQUEST, (connection, answers) -> {});
      assertDone(store, true);

      Jdbi.create(pool).useHandle(handle -> handle.execute("SET GLOBAL read_only = 1"));

      assertDone(store, false);
    }
  }
}
