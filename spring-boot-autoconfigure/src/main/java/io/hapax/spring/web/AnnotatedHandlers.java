package io.hapax.spring.web;

import io.hapax.spring.IdempotentRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Knows the handler methods with {@link IdempotentRequest}, and finds that of a request. */
final class AnnotatedHandlers {

  /** A handler, and its method if the path pattern leads to other handlers too. */
  record Match(
      IdempotentRequest annotation, String pattern, String handler, HandlerExecutionChain chain) {}

  private final List<RequestMappingHandlerMapping> mappings;
  private final Set<String> shared;

  /** Looks in the order of the DispatcherServlet. Refuses one that cannot be made idempotent. */
  AnnotatedHandlers(List<RequestMappingHandlerMapping> mappings) {
    List<HandlerMethod> annotated = mappings.stream()
        .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
        .filter(handler -> annotation(handler) != null)
        .toList();
    annotated.forEach(HandlerRules::check);
    this.mappings = annotated.isEmpty() ? List.of() : mappings;
    this.shared = shared(this.mappings);
  }

  boolean isEmpty() {
    return mappings.isEmpty();
  }

  /** Finds the handler as the DispatcherServlet will, and returns its annotation if it has one. */
  Optional<Match> of(HttpServletRequest request) {
    // also if it was parsed before, because a forwarded request has another path
    ServletRequestPathUtils.parseAndCache(request);
    for (RequestMappingHandlerMapping mapping : mappings) {
      HandlerExecutionChain chain = handler(mapping, request);
      if (chain != null && chain.getHandler() instanceof HandlerMethod handler) {
        IdempotentRequest annotation = annotation(handler);
        return annotation == null
            ? Optional.empty()
            : Optional.of(match(annotation, request, handler, chain));
      }
    }
    return Optional.empty();
  }

  /** Refuses a handler behind one without the annotation, which may have had effects before. */
  void refuseBehindAnother(HttpServletRequest request) {
    of(new NestedLookup(request)).filter(match -> isProtected(match, request)).ifPresent(match -> {
      throw new RefusedHandlerException("The handler " + match.chain().getHandler()
          + " has @IdempotentRequest, but the handler of the path that the client requested has"
          + " none and reached it by " + request.getDispatcherType()
          + ". Add @IdempotentRequest to that handler.");
    });
  }

  private static boolean isProtected(Match match, HttpServletRequest request) {
    return match.annotation().required() || request.getHeader(match.annotation().header()) != null;
  }

  private Match match(
      IdempotentRequest annotation,
      HttpServletRequest request,
      HandlerMethod handler,
      HandlerExecutionChain chain) {
    String pattern = pattern(request);
    boolean one = !shared.contains(request.getMethod() + " " + pattern);
    return new Match(annotation, pattern, one ? "" : handler.getMethod().toGenericString(), chain);
  }

  private static Set<String> shared(List<RequestMappingHandlerMapping> mappings) {
    Set<String> known = new HashSet<>();
    return mappings.stream()
        .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
        .flatMap(AnnotatedHandlers::paths)
        .filter(path -> !known.add(path))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<String> paths(RequestMappingInfo info) {
    Set<RequestMethod> declared = info.getMethodsCondition().getMethods();
    Stream<RequestMethod> methods =
        declared.isEmpty() ? Arrays.stream(RequestMethod.values()) : declared.stream();
    return methods.flatMap(
        method -> info.getPatternValues().stream().map(pattern -> method + " " + pattern));
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

  /** Keeps the attributes of a look-up to itself: the including handler still needs its own. */
  private static final class NestedLookup extends HttpServletRequestWrapper {

    private final Map<String, @Nullable Object> attributes = new HashMap<>();

    NestedLookup(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable Object getAttribute(String name) {
      return attributes.containsKey(name) ? attributes.get(name) : super.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
      attributes.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
      attributes.put(name, null);
    }
  }
}
