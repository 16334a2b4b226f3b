package io.hapax.spring.web;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Refuses handlers whose response is not complete when they return. */
final class HandlerRules {

  private static final List<Class<?>> LATER = List.of(
      Callable.class,
      WebAsyncTask.class,
      DeferredResult.class,
      CompletionStage.class,
      Future.class,
      StreamingResponseBody.class,
      ResponseBodyEmitter.class);

  private HandlerRules() {}

  static void check(HandlerMethod handler) {
    if (AnnotatedElementUtils.hasAnnotation(handler.getMethod(), Async.class)
        || AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), Async.class)) {
      throw new RefusedHandlerException("The handler " + handler.getBeanType().getName() + "#"
          + handler.getMethod().getName() + " has @IdempotentRequest and @Async, but another thread"
          + " would run it after the request is marked done. Remove one of the two annotations.");
    }
    ResolvableType declared =
        ResolvableType.forMethodReturnType(handler.getMethod(), handler.getBeanType());
    Class<?> result = HttpEntity.class.isAssignableFrom(declared.toClass())
        ? declared.as(HttpEntity.class).getGeneric(0).toClass()
        : declared.toClass();
    if (LATER.stream().anyMatch(type -> type.isAssignableFrom(result))
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null
        || KotlinDetector.isSuspendingFunction(handler.getMethod())) {
      throw new RefusedHandlerException("The handler " + handler.getBeanType().getName() + "#"
          + handler.getMethod().getName()
          + " has @IdempotentRequest and returns " + declared
          + ", but must not be asynchronous and must not stream: its effect may happen after"
          + " the request is marked done. Return the value itself, or remove the annotation.");
    }
  }
}
