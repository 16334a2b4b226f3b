package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.support.MessageHeaderAccessor;

/**
 * A listener with {@link Idempotent}, as the application's code declares it.
 *
 * @param name class and method, for people
 * @param annotation its annotation
 * @param methods the methods that may be called for a message: one, or all with
 *     {@code @KafkaHandler}
 * @param factory the attribute with its container factory; empty for the standard one
 */
record DeclaredListener(String name, Idempotent annotation, List<Method> methods, String factory) {

  /** Returns whether beans of a class have it. */
  boolean isOf(Class<?> type) {
    return methods.stream().anyMatch(method -> method.getDeclaringClass().isAssignableFrom(type));
  }

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

  /** Returns whether each method can reach an Acknowledgment: as a parameter, or in the headers. */
  boolean canAcknowledge() {
    return methods.stream()
        .allMatch(method -> acknowledges(method)
            || IntStream.range(0, method.getParameterCount())
                .mapToObj(index -> new MethodParameter(method, index))
                .anyMatch(DeclaredListener::hasHeaders));
  }

  private static boolean hasHeaders(MethodParameter parameter) {
    ResolvableType type = ResolvableType.forMethodParameter(parameter);
    Class<?> element = List.class.isAssignableFrom(type.toClass())
        ? type.as(List.class).getGeneric(0).toClass()
        : type.toClass();
    return parameter.hasParameterAnnotation(Headers.class)
        || Message.class.isAssignableFrom(element)
        || MessageHeaders.class.isAssignableFrom(element)
        || MessageHeaderAccessor.class.isAssignableFrom(element);
  }
}
