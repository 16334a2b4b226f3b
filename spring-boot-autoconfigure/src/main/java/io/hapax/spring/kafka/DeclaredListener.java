package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.RefusedListenerException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.util.ClassUtils;

/** A listener as the code declares it; with {@code @KafkaHandler} it has several methods. */
record DeclaredListener(String name, Idempotent annotation, List<Method> methods, String factory) {

  /** By name, because an application may not have them. */
  private static final String PUBLISHER = "org.reactivestreams.Publisher";

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  boolean isOf(Class<?> type) {
    return methods.stream().anyMatch(method -> method.getDeclaringClass().isAssignableFrom(type));
  }

  boolean acknowledges() {
    return methods.stream().anyMatch(DeclaredListener::acknowledges);
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

  void refuseUnsafe() {
    methods.forEach(this::refuseAsynchronous);
    if (acknowledges() && !methods.stream().allMatch(DeclaredListener::acknowledges)) {
      throw new RefusedListenerException(
          name,
          "only some of its methods have a parameter of type Acknowledgment",
          "A method without it would leave its message unacknowledged.",
          "Add the parameter to all methods with @KafkaHandler, or remove it from all.");
    }
  }

  private void refuseAsynchronous(Method method) {
    if (isAsynchronous(method)) {
      throw new RefusedListenerException(
          name,
          "the return type of " + method.getName() + " is "
              + method.getReturnType().getName(),
          "An asynchronous listener returns before its work is done, so its message would be marked"
              + " done too early.",
          "Return void or a plain value, and wait for the result inside the method.");
    }
  }

  private static boolean isAsynchronous(Method method) {
    Class<?> type = method.getReturnType();
    return Future.class.isAssignableFrom(type)
        || CompletionStage.class.isAssignableFrom(type)
        || Flow.Publisher.class.isAssignableFrom(type)
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
        || Stream.concat(Stream.of(type), Arrays.stream(ClassUtils.getAllInterfacesForClass(type)))
            .anyMatch(each -> each.getName().equals(PUBLISHER))
        || Arrays.stream(method.getParameterTypes())
            .anyMatch(each -> each.getName().equals(CONTINUATION));
  }
}
