package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.springframework.kafka.support.Acknowledgment;

/**
 * A listener with {@link Idempotent}, as the application's code declares it.
 *
 * @param name class and method, for people
 * @param annotation its annotation
 * @param methods the methods that may be called for a message: one, or all with
 *     {@code @KafkaHandler}
 */
record DeclaredListener(String name, Idempotent annotation, List<Method> methods) {

  /** Returns whether a method has to acknowledge its message. */
  boolean acknowledges() {
    return methods.stream().anyMatch(DeclaredListener::acknowledges);
  }

  /** Returns whether only some of the methods have to acknowledge their message. */
  boolean acknowledgesPartly() {
    return acknowledges() && !methods.stream().allMatch(DeclaredListener::acknowledges);
  }

  private static boolean acknowledges(Method method) {
    return Arrays.asList(method.getParameterTypes()).contains(Acknowledgment.class);
  }
}
