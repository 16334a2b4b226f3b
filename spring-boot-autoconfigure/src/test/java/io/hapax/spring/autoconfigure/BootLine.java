package io.hapax.spring.autoconfigure;

import java.util.Arrays;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ClassUtils;

/**
 * The types that this line of Spring Boot has under one of several names. Tests run on all lines,
 * so they do not name a type that moved in their code.
 */
public final class BootLine {

  private BootLine() {}

  /** Returns the first of these types that there is. */
  @SuppressWarnings("unchecked") // a test knows the type by its names only
  public static <T> Class<T> type(String... names) {
    return (Class<T>) Arrays.stream(names)
        .filter(name -> ClassUtils.isPresent(name, null))
        .findFirst()
        .map(name -> ClassUtils.resolveClassName(name, null))
        .orElseThrow(() -> new AssertionError("none of " + Arrays.toString(names)));
  }

  /** Returns the auto-configuration of Spring Data Redis. */
  static AutoConfigurations redis() {
    return AutoConfigurations.of(type(
        "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
        "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"));
  }
}
