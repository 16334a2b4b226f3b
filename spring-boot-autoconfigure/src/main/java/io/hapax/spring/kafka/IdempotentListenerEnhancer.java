package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.RefusedListenerException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;

/**
 * Lets {@link IdempotentListeners} change the containers of listeners. Refuses a bean that is made
 * after the start and whose container was made without Hapax: it has no order, so Spring Kafka's
 * post-processor has made the containers before.
 */
public final class IdempotentListenerEnhancer implements AnnotationEnhancer, BeanPostProcessor {

  private static final String ATTRIBUTE = "containerPostProcessor";

  private final ConfigurableListableBeanFactory beans;

  public IdempotentListenerEnhancer(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
    String factory = String.valueOf(attributes.get("containerFactory"));
    DeclaredListener declared = element instanceof Method method
        ? ofMethod(BridgeMethodResolver.findBridgedMethod(method), factory)
        : ofClass((Class<?>) element, factory);
    if (declared == null) {
      return attributes;
    }
    declared.refuseUnsafe();
    String token = beans.getBean(IdempotentListeners.class).declare(declared);
    Map<String, Object> changed = new HashMap<>(attributes);
    changed.put(ATTRIBUTE, expression(token, String.valueOf(attributes.get(ATTRIBUTE))));
    return changed;
  }

  private static @Nullable DeclaredListener ofMethod(Method method, String factory) {
    Class<?> type = method.getDeclaringClass();
    String name = type.getSimpleName() + "." + method.getName();
    Idempotent own = find(method);
    Idempotent ofClass = find(type);
    if (own != null && ofClass != null && !own.equals(ofClass)) {
      throw new RefusedListenerException(
          name,
          "@Idempotent is on the method and on its class, with different attributes",
          "It would be unclear which of them holds.",
          "Remove one of the two annotations.");
    }
    Idempotent found = own == null ? ofClass : own;
    return found == null ? null : new DeclaredListener(name, found, List.of(method), factory);
  }

  private static @Nullable DeclaredListener ofClass(Class<?> type, String factory) {
    List<Method> handlers = List.copyOf(MethodIntrospector.selectMethods(
        type, (Method method) -> AnnotatedElementUtils.hasAnnotation(method, KafkaHandler.class)));
    Idempotent found = find(type);
    for (Method handler : handlers) {
      Idempotent own = find(handler);
      if (own != null && !own.equals(found)) {
        throw new RefusedListenerException(
            type.getSimpleName() + "." + handler.getName(),
            "@Idempotent is on a method with @KafkaHandler",
            "One container calls all of these methods, so its messages have one setting.",
            "Put @Idempotent on the class.");
      }
    }
    return found == null
        ? null
        : new DeclaredListener(type.getSimpleName(), found, handlers, factory);
  }

  private static @Nullable Idempotent find(AnnotatedElement element) {
    return AnnotatedElementUtils.findMergedAnnotation(element, Idempotent.class);
  }

  private String expression(String token, String given) {
    String resolved = beans.resolveEmbeddedValue(given);
    String call = "@" + IdempotentListeners.BEAN + ".processor('" + token + "'";
    if (resolved == null || resolved.isBlank()) {
      return "#{" + call + ")}";
    }
    String first = resolved.startsWith("#{") && resolved.endsWith("}")
        ? resolved.substring(2, resolved.length() - 1)
        : "@'" + resolved + "'";
    return "#{" + call + ", " + first + ")}";
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (beans.getSingleton(IdempotentListeners.BEAN) instanceof IdempotentListeners listeners
        && listeners.isRunning()) {
      Class<?> type = AopUtils.getTargetClass(bean);
      listeners.refuseUnused(declared -> declared.isOf(type));
    }
    return bean;
  }
}
