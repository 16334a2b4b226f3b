package io.hapax.spring.kafka;

import io.hapax.spring.listener.RefusedListenerException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** Refuses methods that cannot be called safely. */
final class MethodRules {

  /** By name, because an application may not have them. */
  private static final String PUBLISHER = "org.reactivestreams.Publisher";

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  private MethodRules() {}

  static void check(DeclaredListener declared) {
    declared.methods().forEach(method -> refuseAsynchronous(declared, method));
    if (declared.acknowledgesPartly()) {
      throw new RefusedListenerException(
          declared.name(),
          "only some of its methods have a parameter of type Acknowledgment",
          "A method without it would leave its message unacknowledged.",
          "Add the parameter to all methods with @KafkaHandler, or remove it from all.");
    }
  }

  private static void refuseAsynchronous(DeclaredListener declared, Method method) {
    if (isAsynchronous(method)) {
      throw new RefusedListenerException(
          declared.name(),
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
