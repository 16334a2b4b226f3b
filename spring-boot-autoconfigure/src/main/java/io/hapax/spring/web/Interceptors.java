package io.hapax.spring.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Runs the interceptors of a request whose handler is skipped, because they may refuse the client.
 * Calls {@code preHandle} and {@code afterCompletion} as the DispatcherServlet does, but never
 * {@code postHandle}, which is for the result of a handler.
 */
final class Interceptors {

  private static final Logger LOG = LoggerFactory.getLogger(Interceptors.class);

  @FunctionalInterface
  interface Reply {

    void sendTo(HttpServletResponse response) throws IOException;
  }

  private final ObjectProvider<HandlerExceptionResolver> resolvers;

  Interceptors(ObjectProvider<HandlerExceptionResolver> resolvers) {
    this.resolvers = resolvers;
  }

  /** Sends the response, unless an interceptor refuses the request with a response of its own. */
  void reply(
      HandlerExecutionChain chain,
      HttpServletRequest request,
      HttpServletResponse response,
      Reply reply)
      throws ServletException, IOException {
    Deque<HandlerInterceptor> passed = new ArrayDeque<>();
    @Nullable Exception failure = null;
    try {
      if (passes(chain, request, response, passed)) {
        reply.sendTo(response);
      }
    } catch (Exception e) {
      failure = e;
      answer(chain.getHandler(), request, response, e);
    } finally {
      complete(passed, chain.getHandler(), request, response, failure);
    }
  }

  private static boolean passes(
      HandlerExecutionChain chain,
      HttpServletRequest request,
      HttpServletResponse response,
      Deque<HandlerInterceptor> passed)
      throws Exception {
    for (HandlerInterceptor each : chain.getInterceptorList()) {
      if (!each.preHandle(request, response, chain.getHandler())) {
        return false;
      }
      passed.push(each);
    }
    return true;
  }

  private void answer(
      Object handler, HttpServletRequest request, HttpServletResponse response, Exception failure)
      throws ServletException, IOException {
    List<HandlerExceptionResolver> ordered = resolvers.orderedStream().toList();
    for (HandlerExceptionResolver each : ordered) {
      ModelAndView answer = each.resolveException(request, response, handler, failure);
      if (answer != null && answer.isEmpty()) {
        return;
      }
    }
    throw IdempotentRequestFilter.rethrown(failure);
  }

  private static void complete(
      Deque<HandlerInterceptor> passed,
      Object handler,
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Exception failure) {
    for (HandlerInterceptor each : passed) {
      try {
        each.afterCompletion(request, response, handler, failure);
      } catch (Exception e) {
        LOG.error("afterCompletion of an interceptor failed", e);
      }
    }
  }
}
