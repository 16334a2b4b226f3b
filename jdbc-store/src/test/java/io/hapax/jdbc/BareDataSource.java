package io.hapax.jdbc;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source of connections that has no settings, no log and nothing inside. */
abstract class BareDataSource implements DataSource {

  @Override
  public final @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public final void setLogWriter(@Nullable PrintWriter out) {
    // Nothing is logged.
  }

  @Override
  public final void setLoginTimeout(int seconds) {
    // Servers of this machine answer or are not there.
  }

  @Override
  public final int getLoginTimeout() {
    return 0;
  }

  @Override
  public final Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public final <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper");
  }

  @Override
  public final boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
