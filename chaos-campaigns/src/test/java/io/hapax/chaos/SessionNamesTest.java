package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that sessions have names. The parent needs them to wait for the last requests of a killed
 * member.
 */
@Timeout(120)
class SessionNamesTest {

  private static final String NAME = Consumers.name(7);

  @ParameterizedTest
  @EnumSource(names = {"REDIS", "REDIS_CLUSTER"})
  void redis_shows_the_name_of_a_consumer_until_it_is_gone(StoreKind kind) throws Exception {
    try (MarkServers servers = MarkServers.start(kind);
        HikariDataSource none = new HikariDataSource()) {
      Marks named = servers.marks().as(NAME);
      try (DedupStore marks = named.open(none)) {
        marks.find(List.of(MessageKey.of(HapaxConsumer.NAME, "a")));

        assertThat(servers.isConnected(NAME)).isTrue();
        assertThat(servers.isConnected(Consumers.name(70))).isFalse();
      }
      servers.awaitDisconnected(NAME);
      assertThat(servers.isConnected(NAME)).isFalse();
    }
  }

  @Test
  void postgresql_shows_the_name_of_a_consumer_until_it_is_gone(@TempDir Path folder)
      throws Exception {
    try (ShopDatabase database = ShopDatabase.open(ShopKind.POSTGRES, folder)) {
      try (Connection named =
          DriverManager.getConnection(ShopKind.POSTGRES.urlFor(database.url(), NAME))) {
        named.setAutoCommit(false);
        database.awaitDisconnected(Consumers.name(70));
        Thread caller = Thread.currentThread();
        assertThatThrownBy(() -> {
              caller.interrupt();
              database.awaitDisconnected(NAME);
            })
            .isInstanceOf(InterruptedException.class);
      }
      database.awaitDisconnected(NAME);
    }
  }
}
