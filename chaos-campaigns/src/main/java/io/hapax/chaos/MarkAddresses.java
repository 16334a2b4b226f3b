package io.hapax.chaos;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.util.List;
import javax.sql.DataSource;

/** The addresses of Redis: several of a cluster, none if the marks are in the shop's database. */
record MarkAddresses(List<String> redis) {

  MarkAddresses as(String client) {
    return new MarkAddresses(
        redis.stream().map(uri -> uri + "?clientName=" + client).toList());
  }

  DedupStore open(DataSource shop) {
    return switch (redis.size()) {
      case 0 -> inShop(shop);
      case 1 -> RedisDedupStore.builder(RedisURI.create(redis.get(0))).build();
      default ->
        RedisDedupStore.clusterBuilder(redis.stream().map(RedisURI::create).toList())
            .build();
    };
  }

  /**
   * Opens a store in the shop's database, and creates its table if it is missing. If a process is
   * stopped in a transaction, it blocks other owners of its marks until the server ends that
   * transaction.
   */
  private static JdbcDedupStore inShop(DataSource shop) {
    return JdbcDedupStore.builder(shop)
        .createIfAbsent()
        .idleLimit(CampaignStores.IDLE_LIMIT)
        .build();
  }
}
