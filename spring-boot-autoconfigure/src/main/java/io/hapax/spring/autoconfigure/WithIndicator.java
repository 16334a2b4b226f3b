package io.hapax.spring.autoconfigure;

import java.lang.reflect.Proxy;
import org.springframework.aop.support.AopUtils;

/** Adds the health indicator of Hapax to the group {@code readiness}. */
final class WithIndicator {

  static final String GROUP = "readiness";

  private WithIndicator() {}

  /** Returns a proxy, because the type of a group differs between Spring Boot 3.5 and 4. */
  static <T> T of(Class<T> type, T group) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
          if (method.getName().equals("isMember")
              && HapaxHealthAutoConfiguration.INDICATOR.equals(arguments[0])) {
            return true;
          }
          return AopUtils.invokeJoinpointUsingReflection(group, method, arguments);
        }));
  }
}
