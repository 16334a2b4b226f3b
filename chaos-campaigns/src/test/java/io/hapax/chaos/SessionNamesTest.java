package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.ShopPool;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  private static final Optional<String> NAME = Optional.of(Consumers.name(7));
  private static final Optional<String> OTHER = Optional.of(Consumers.name(70));

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "REDIS", "REDIS_CLUSTER"})
  void a_server_shows_the_name_of_a_consumer_until_it_is_gone(
      CampaignStore kind, @TempDir Path folder) throws Exception {
    try (CampaignStores stores = CampaignStores.open(kind, folder)) {
      try (HikariDataSource pool = pool(kind, stores);
          DedupStore marks = stores.marks().as(NAME.orElseThrow()).open(pool)) {
        marks.find(List.of(MessageKey.of(HapaxConsumer.NAME, "a")));
        stores.awaitQuiet(OTHER, true);
        Thread caller = Thread.currentThread();
        assertThatThrownBy(() -> {
              caller.interrupt();
              stores.awaitQuiet(NAME, true);
            })
            .isInstanceOf(InterruptedException.class);
      }
      stores.awaitQuiet(NAME, true);
    }
  }

  /** Returns a pool that connects only if the marks are in the shop's database. */
  private static HikariDataSource pool(CampaignStore kind, CampaignStores stores) {
    return kind.marksInShop()
        ? new HikariDataSource(ShopPool.of(kind.urlFor(stores.url(), NAME.orElseThrow())))
        : new HikariDataSource();
  }
}
