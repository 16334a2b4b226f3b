package io.hapax.spring.web;

import io.hapax.spring.IdempotentRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Knows the handler methods with {@link IdempotentRequest}, and finds that of a request. */
final class AnnotatedHandlers {

  /**
   * The annotation of a request's handler, the path pattern that led to it, and its interceptors.
   */
  record Match(IdempotentRequest annotation, String pattern, HandlerExecutionChain chain) {}

  private final List<RequestMappingHandlerMapping> mappings;

  /**
   * Looks for such handlers.
   *
   * @param mappings the mappings, in the order in which the DispatcherServlet asks them
   * @throws RefusedHandlerException if one of the handlers cannot be made idempotent
   */
  AnnotatedHandlers(List<RequestMappingHandlerMapping> mappings) {
    List<HandlerMethod> annotated = mappings.stream()
        .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
        .filter(handler -> annotation(handler) != null)
        .toList();
    annotated.forEach(HandlerRules::check);
    this.mappings = annotated.isEmpty() ? List.of() : mappings;
  }

  boolean isEmpty() {
    return mappings.isEmpty();
  }

  /** Finds the handler as the DispatcherServlet will, and returns its annotation if it has one. */
  Optional<Match> of(HttpServletRequest request) {
    if (!ServletRequestPathUtils.hasParsedRequestPath(request)) {
      ServletRequestPathUtils.parseAndCache(request);
    }
    for (RequestMappingHandlerMapping mapping : mappings) {
      HandlerExecutionChain chain = handler(mapping, request);
      if (chain != null && chain.getHandler() instanceof HandlerMethod handler) {
        IdempotentRequest annotation = annotation(handler);
        return annotation == null
            ? Optional.empty()
            : Optional.of(new Match(annotation, pattern(request), chain));
      }
    }
    return Optional.empty();
  }

  private static @Nullable HandlerExecutionChain handler(
      RequestMappingHandlerMapping mapping, HttpServletRequest request) {
    try {
      return mapping.getHandler(request);
    } catch (Exception noHandler) {
      return null; // the DispatcherServlet meets it again and answers 405 or 415, for example
    }
  }

  private static @Nullable IdempotentRequest annotation(HandlerMethod handler) {
    IdempotentRequest ofMethod = handler.getMethodAnnotation(IdempotentRequest.class);
    return ofMethod != null
        ? ofMethod
        : AnnotatedElementUtils.findMergedAnnotation(
            handler.getBeanType(), IdempotentRequest.class);
  }

  private static String pattern(HttpServletRequest request) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    return pattern == null ? request.getRequestURI() : pattern.toString();
  }
}
