package io.hapax.spring.actuate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A group of health indicators with one more member. It is a proxy, because the type of a group
 * differs between Spring Boot 3.5 and 4.
 */
final class WithIndicator implements InvocationHandler {

  private final Object group;
  private final String indicator;

  private WithIndicator(Object group, String indicator) {
    this.group = group;
    this.indicator = indicator;
  }

  static <T> T of(Class<T> type, T group, String indicator) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, new WithIndicator(group, indicator)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("isMember")
        && arguments != null
        && indicator.equals(arguments[0])) {
      return true;
    }
    try {
      return method.invoke(group, arguments == null ? new Object[0] : arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }
}
