package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Stores whose transactions belong to the application. */
class FramedFixture extends JdbcFixture {

  FramedFixture(Supplier<HikariDataSource> pools) {
    super(pools);
  }

  @Override
  JdbcDedupStoreBuilder configured(JdbcDedupStoreBuilder builder, DataSource pool) {
    return builder.transactionFrame(new ThreadBoundFrame(pool));
  }
}
