package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Guards one object of the driver: the connection, or an object that gives access to it. */
final class Guard implements InvocationHandler {

  /** Subtypes come before their supertypes. */
  private static final List<Class<?>> LEADING_BACK = List.of(
      CallableStatement.class,
      PreparedStatement.class,
      Statement.class,
      ResultSet.class,
      DatabaseMetaData.class,
      Array.class,
      Connection.class);

  private static final Set<String> REFUSED =
      Set.of("commit", "close", "abort", "unwrap", "beginRequest", "endRequest");

  private final Object target;
  private final GuardedConnection transaction;

  private Guard(Object target, GuardedConnection transaction) {
    this.target = target;
    this.transaction = transaction;
  }

  /**
   * Returns a guard for the object, or the object itself if it gives no access to the connection.
   */
  static Object on(Object target, GuardedConnection transaction) {
    return LEADING_BACK.stream()
        .filter(type -> type.isInstance(target))
        .findFirst()
        .map(type -> Proxy.newProxyInstance(
            Guard.class.getClassLoader(), new Class<?>[] {type}, new Guard(target, transaction)))
        .orElse(target);
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "equals" -> arguments != null && self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "guarded " + target.getClass().getSimpleName();
      case "isWrapperFor" -> false;
      case "getConnection" -> transaction.connection();
      default -> checked(method, arguments == null ? new Object[0] : arguments);
    };
  }

  private @Nullable Object checked(Method method, @Nullable Object[] arguments) throws Throwable {
    if (refuses(method)) {
      throw transaction.refused("called " + method.getName() + "()");
    }
    if (arguments.length > 0 && arguments[0] instanceof String text && takesSql(method)) {
      transaction.screen(text);
    }
    return transaction.whileOpen(() -> call(method, arguments), () -> afterwards(method));
  }

  private boolean refuses(Method method) {
    String name = method.getName();
    if (!(target instanceof Connection)) {
      return name.equals("unwrap");
    }
    return REFUSED.contains(name)
        || (name.startsWith("set") && !name.equals("setSavepoint"))
        || (name.equals("rollback") && method.getParameterCount() == 0);
  }

  private boolean takesSql(Method method) {
    String name = method.getName();
    return target instanceof Connection
        ? name.startsWith("prepare")
        : target instanceof Statement && (name.startsWith("execute") || name.equals("addBatch"));
  }

  private static @Nullable Object afterwards(Method method) {
    return switch (method.getName()) {
      case "close" -> null;
      case "isClosed" -> true;
      default ->
        throw new BrokenTransactionException(
            "the handler's transaction has ended; its connection must not be kept");
    };
  }

  private @Nullable Object call(Method method, @Nullable Object[] arguments) throws Throwable {
    try {
      Object result =
          method.invoke(target, Arrays.stream(arguments).map(Guard::unguarded).toArray());
      if (target instanceof Statement && method.getName().startsWith("execute")) {
        transaction.answered();
      }
      return result == null ? null : on(result, transaction);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }

  /** Unwraps an argument, because drivers accept their own arrays only. */
  private static @Nullable Object unguarded(@Nullable Object argument) {
    return argument instanceof Proxy && Proxy.getInvocationHandler(argument) instanceof Guard guard
        ? guard.target
        : argument;
  }
}
