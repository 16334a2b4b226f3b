package io.hapax.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one connection that resets nothing when it is given back, and remembers what was
 * prepared.
 */
final class OneConnection implements DataSource {

  private final Connection connection;
  private final List<String> prepared = Collections.synchronizedList(new ArrayList<>());

  OneConnection(Connection real) {
    this.connection = (Connection) Proxy.newProxyInstance(
        OneConnection.class.getClassLoader(),
        new Class<?>[] {Connection.class},
        (self, method, arguments) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          if (method.getName().equals("prepareStatement")) {
            prepared.add((String) arguments[0]);
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getTargetException();
          }
        });
  }

  /** The statements on the table since the last question. */
  List<String> statements() {
    List<String> seen = prepared.stream().filter(sql -> sql.contains("marks_")).toList();
    prepared.clear();
    return seen;
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public Connection getConnection(String user, String password) {
    return connection;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // Nothing is logged.
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // The connection is open already.
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
