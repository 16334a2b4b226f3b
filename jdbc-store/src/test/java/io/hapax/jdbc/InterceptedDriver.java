package io.hapax.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Comes between the store and a real driver: what a faulty driver, pool or thread may do. */
@FunctionalInterface
interface InterceptedDriver {

  /**
   * Called for each call on a connection or statement.
   *
   * @param on the connection or statement
   * @param deed the method's name, and its first argument if that is text
   * @param call what it would do
   * @return what it returns instead
   */
  @Nullable
  Object around(Object on, String deed, Callable<@Nullable Object> call) throws Exception;

  /** Connections of the data source, tampered with. */
  static DataSource with(DataSource real, InterceptedDriver tampering) {
    return proxy(DataSource.class, real, (on, deed, call) -> call.call(), tampering);
  }

  /** Returns whether a call inserts marks; {@code build()} tries an insert of no row. */
  static boolean insertsMarks(String deed) {
    return deed.contains("INSERT INTO") && !deed.contains("WHERE 1 = 0");
  }

  private static <T> T proxy(
      Class<T> type, Object real, InterceptedDriver here, InterceptedDriver further) {
    return type.cast(Proxy.newProxyInstance(
        InterceptedDriver.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> further(
            here.around(real, deed(method.getName(), arguments), () -> {
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                if (e.getTargetException() instanceof Exception exception) {
                  throw exception;
                }
                throw e;
              }
            }),
            further)));
  }

  private static String deed(String method, @Nullable Object @Nullable [] arguments) {
    return arguments != null && arguments[0] instanceof String text ? method + ' ' + text : method;
  }

  private static @Nullable Object further(@Nullable Object result, InterceptedDriver tampering) {
    if (result instanceof Connection) {
      return proxy(Connection.class, result, tampering, tampering);
    } else if (result instanceof PreparedStatement) {
      return proxy(PreparedStatement.class, result, tampering, tampering);
    } else if (result instanceof Statement) {
      return proxy(Statement.class, result, tampering, tampering);
    }
    return result;
  }
}
