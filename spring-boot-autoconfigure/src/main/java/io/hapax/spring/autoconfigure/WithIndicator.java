package io.hapax.spring.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.aop.support.AopUtils;

/** Adds the health indicator of Hapax to the group {@code readiness}. */
final class WithIndicator {

  private static final String GROUP = "readiness";

  private WithIndicator() {}

  /** Returns all groups by name, of which readiness has the indicator too. */
  static <T> Map<String, T> groups(Class<T> type, Set<String> names, Function<String, T> groups) {
    Map<String, T> all = new LinkedHashMap<>();
    names.forEach(name -> all.put(name, groups.apply(name)));
    all.computeIfPresent(GROUP, (name, group) -> of(type, group));
    return all;
  }

  /** Returns a proxy, because the type of a group differs between Spring Boot 3.5 and 4. */
  private static <T> T of(Class<T> type, T group) {
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
