package io.hapax.rocketmq;

import io.hapax.store.DedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The same marks, as another process sees them: receivers of one store object know what each other
 * runs.
 */
final class OtherProcess {

  private OtherProcess() {}

  static DedupStore of(DedupStore marks) {
    return (DedupStore) Proxy.newProxyInstance(
        OtherProcess.class.getClassLoader(),
        new Class<?>[] {DedupStore.class},
        (self, method, args) -> {
          if (method.getDeclaringClass() == Object.class) {
            return method.getName().equals("equals")
                ? self == args[0]
                : method.getName().equals("hashCode") ? System.identityHashCode(self) : "other";
          }
          try {
            return method.invoke(marks, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
