package io.hapax.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Runs code around the calls of an interface, to make a process die or a reply get lost there. */
@FunctionalInterface
interface Hook {

  /** Makes the real call. */
  @FunctionalInterface
  interface Call {
    Object proceed() throws Throwable;
  }

  /**
   * Is called instead of a method.
   *
   * @return its result
   */
  Object around(String method, Object[] arguments, Call call) throws Throwable;

  static <T> T into(Class<T> type, T target, Hook hook) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
          Object[] arguments = given == null ? new Object[0] : given;
          return hook.around(method.getName(), arguments, () -> {
            try {
              return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
        }));
  }
}
