package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a handler sees of the transaction's connection: everything but its end. What it makes
 * (statements, results, metadata) leads back to the guard, and none of it works once the handler
 * has returned.
 */
final class GuardedConnection {

  private static final Set<String> REFUSED = Set.of(
      "commit",
      "close",
      "abort",
      "setAutoCommit",
      "setTransactionIsolation",
      "setReadOnly",
      "unwrap",
      "beginRequest",
      "endRequest");

  private final Connection guarded;
  private volatile boolean over;
  private volatile @Nullable BrokenTransactionException violation;

  GuardedConnection(Connection connection) {
    this.guarded = proxy(Connection.class, new Guard(connection, true));
  }

  Connection connection() {
    return guarded;
  }

  /** What the handler tried, even if it swallowed the refusal. */
  Optional<BrokenTransactionException> violation() {
    return Optional.ofNullable(violation);
  }

  /** From now on nothing works any more. */
  void close() {
    over = true;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(
        GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final class Guard implements InvocationHandler {

    private final Object target;
    private final boolean connection;

    Guard(Object target, boolean connection) {
      this.target = target;
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
        throws Throwable {
      String name = method.getName();
      return switch (name) {
        case "equals" -> arguments != null && self == arguments[0];
        case "hashCode" -> System.identityHashCode(self);
        case "toString" -> "guarded " + target.getClass().getSimpleName();
        case "isWrapperFor" -> false;
        case "getConnection" -> guarded;
        default -> checked(method, arguments);
      };
    }

    private @Nullable Object checked(Method method, Object @Nullable [] arguments)
        throws Throwable {
      String name = method.getName();
      if (refuses(method)) {
        throw refused(name);
      }
      if (over && !name.equals("close") && !name.equals("isClosed")) {
        throw new BrokenTransactionException(
            "the handler's transaction is over; its connection must not be kept");
      }
      return guard(method.getReturnType(), call(method, arguments));
    }

    private boolean refuses(Method method) {
      if (!connection) {
        return method.getName().equals("unwrap");
      }
      return REFUSED.contains(method.getName())
          || (method.getName().equals("rollback") && method.getParameterCount() == 0);
    }

    private BrokenTransactionException refused(String name) {
      BrokenTransactionException refusal = new BrokenTransactionException("the handler called "
          + name + "() but must leave the transaction to the store: return to commit, throw to roll"
          + " back");
      if (violation == null) {
        violation = refusal;
      }
      return refusal;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        Throwable cause = e.getCause();
        throw cause == null ? e : cause;
      }
    }

    private @Nullable Object guard(Class<?> type, @Nullable Object value) {
      boolean leadsBack = Statement.class.isAssignableFrom(type)
          || ResultSet.class.isAssignableFrom(type)
          || DatabaseMetaData.class.isAssignableFrom(type);
      return value == null || !leadsBack || value instanceof Savepoint
          ? value
          : proxy(type, new Guard(value, false));
    }
  }
}
