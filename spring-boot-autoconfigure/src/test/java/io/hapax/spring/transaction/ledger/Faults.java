package io.hapax.spring.transaction.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.stereotype.Component;

/** Makes the DataSource fail at the end of a transaction. */
@Component
public class Faults implements BeanPostProcessor {

  /** The next commit happens, but its answer is lost. */
  public final AtomicBoolean loseCommit = new AtomicBoolean();

  /** Called before each commit is sent. */
  public volatile Runnable beforeCommit = () -> {};

  /** Called after each commit. */
  public volatile Runnable afterCommit = () -> {};

  /** The next rollback fails before the server gets it. */
  public final AtomicBoolean refuseRollback = new AtomicBoolean();

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource original && !(bean instanceof DelegatingDataSource)
        ? new Faulty(original)
        : bean;
  }

  private final class Faulty extends DelegatingDataSource {

    Faulty(DataSource original) {
      super(original);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection) Proxy.newProxyInstance(
          Faults.class.getClassLoader(),
          new Class<?>[] {Connection.class},
          (self, method, args) -> {
            if (method.getName().equals("rollback")
                && args == null
                && refuseRollback.getAndSet(false)) {
              throw new SQLException("rollback refused");
            }
            boolean commit = method.getName().equals("commit");
            if (commit) {
              beforeCommit.run();
            }
            try {
              Object result = method.invoke(connection, args);
              if (commit) {
                afterCommit.run();
              }
              if (commit && loseCommit.getAndSet(false)) {
                throw new SQLException("the answer was lost", "08006");
              }
              return result;
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
    }
  }
}
