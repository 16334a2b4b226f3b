package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopPoolTest {

  @Test
  void an_h2_file_has_one_writer_so_that_a_kill_tears_no_transaction(@TempDir Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve("shop");
    ServiceSettings.Database service = new ServiceSettings.Database(url, "", "");

    try (HikariDataSource pool = service.open()) {
      assertThat(pool.getMaximumPoolSize()).isOne();
    }
    assertThat(ShopPool.of(url).getMaximumPoolSize()).isOne();
  }

  @Test
  void a_server_has_a_connection_for_each_worker_and_some_more() {
    assertThat(ShopPool.of("jdbc:postgresql://db/shop").getMaximumPoolSize())
        .isGreaterThan(OrderChannel.PARTITIONS + 1);
  }
}
