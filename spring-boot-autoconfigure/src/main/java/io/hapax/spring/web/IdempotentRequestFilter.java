package io.hapax.spring.web;

import io.hapax.CompositeId;
import io.hapax.ExecutionResult;
import io.hapax.ExecutionResult.Conflict;
import io.hapax.ExecutionResult.Executed;
import io.hapax.ExecutionResult.InProgress;
import io.hapax.ExecutionResult.Replayed;
import io.hapax.IdExtractor;
import io.hapax.IdempotentExecutor;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.store.StoreException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The last filter of the chain: a request that security refuses gets no stored response. */
public final class IdempotentRequestFilter extends OncePerRequestFilter
    implements SmartInitializingSingleton {

  public static final String REPLAYED = "Idempotency-Replayed";

  private static final String UNPROTECTED = IdempotentRequestFilter.class.getName() + ".PASSED";

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentRequestFilter.class);
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final int LONGEST_KEY = 255;
  private static final Duration STORE_RETRY = Duration.ofSeconds(1);

  private final WebProperties properties;
  private final RequestScope scope;
  private final ObjectProvider<RequestMappingHandlerMapping> mappings;
  private final ObjectProvider<RequestExecutor> executors;
  private final ObjectProvider<MultipartResolver> multiparts;
  private final Interceptors interceptors;
  private @Nullable AnnotatedHandlers handlers;
  private @Nullable RequestExecutor executor;

  public IdempotentRequestFilter(
      WebProperties properties,
      RequestScope scope,
      ObjectProvider<RequestMappingHandlerMapping> mappings,
      ObjectProvider<RequestExecutor> executors,
      ObjectProvider<MultipartResolver> multiparts,
      ObjectProvider<HandlerExceptionResolver> resolvers) {
    this.properties = properties;
    this.scope = scope;
    this.mappings = mappings;
    this.executors = executors;
    this.multiparts = multiparts;
    this.interceptors = new Interceptors(resolvers);
  }

  /** Refuses a handler that cannot be made idempotent, before the server takes requests. */
  @Override
  public void afterSingletonsInstantiated() {
    AnnotatedHandlers found = new AnnotatedHandlers(mappings.orderedStream().toList());
    if (!found.isEmpty()) {
      executor = executors.getObject();
    }
    handlers = found;
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    AnnotatedHandlers known = Objects.requireNonNull(handlers, "the application has started");
    if (known.isEmpty() || SAFE.contains(request.getMethod())) {
      passOn(request, response, chain);
      return;
    }
    if (request.getAttribute(UNPROTECTED) != null) {
      if (request.getDispatcherType() != DispatcherType.REQUEST) {
        known.refuseBehindAnother(request);
      }
      passOn(request, response, chain);
      return;
    }
    Optional<AnnotatedHandlers.Match> match = known.of(request);
    List<String> keys = match.map(it -> keys(request, it)).orElse(List.of());
    if (match.isEmpty() || (keys.isEmpty() && !match.get().annotation().required())) {
      passOn(request, response, chain);
      return;
    }
    String client = scope.of(request);
    Optional<Refusal> refusal = check(keys, client);
    if (refusal.isPresent()) {
      refusal.get().send(response);
      return;
    }
    MultipartResolver parts = multiparts.getIfAvailable();
    Optional<BufferedRequest> buffered = BufferedRequest.read(
        request,
        match.get().handler(),
        parts != null && parts.isMultipart(request),
        properties.maxBodyBytes());
    if (buffered.isEmpty()) {
      Refusal.BODY_TOO_LONG.send(response);
      return;
    }
    Bytes id = CompositeId.of(client, request.getMethod(), match.get().pattern(), keys.get(0));
    RequestCall call =
        new RequestCall(chain, buffered.get(), new HeldResponse(response), properties.headers());
    execute(id, call, match.get().chain());
  }

  private void passOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    request.setAttribute(UNPROTECTED, true);
    request.removeAttribute(getAlreadyFilteredAttributeName());
    chain.doFilter(request, response);
  }

  private static List<String> keys(HttpServletRequest request, AnnotatedHandlers.Match match) {
    return Collections.list(request.getHeaders(match.annotation().header()));
  }

  private static Optional<Refusal> check(List<String> keys, String client) {
    if (keys.isEmpty()) {
      return Optional.of(Refusal.MISSING_KEY);
    }
    boolean valid = keys.size() == 1
        && !keys.get(0).isBlank()
        && keys.get(0).length() <= LONGEST_KEY
        && IdExtractor.ofValue(keys.get(0)).isPresent();
    if (!valid) {
      return Optional.of(Refusal.INVALID_KEY);
    }
    return IdExtractor.ofValue(client).isEmpty()
        ? Optional.of(Refusal.UNKNOWN_CLIENT)
        : Optional.empty();
  }

  private void execute(Bytes id, RequestCall call, HandlerExecutionChain handler)
      throws ServletException, IOException {
    ExecutionResult result;
    try {
      Fingerprint fingerprint = Fingerprint.of(call.request().content());
      result = executor().execute(id, fingerprint, call);
    } catch (Exception e) {
      if (call.answeredWithout(e)) {
        call.response().release();
      } else if (call.threw(e)) {
        throw rethrown(e);
      } else {
        answer(e, call);
      }
      return;
    }
    answer(result, call, handler);
  }

  private IdempotentExecutor executor() {
    return Objects.requireNonNull(executor, "the application has started").executor();
  }

  private void answer(ExecutionResult result, RequestCall call, HandlerExecutionChain handler)
      throws ServletException, IOException {
    if (result instanceof Executed) {
      call.response().release();
      return;
    }
    call.response().discard(); // after a lost lease the handler may have run
    HttpServletResponse response = (HttpServletResponse) call.response().getResponse();
    if (call.started()) {
      send(result, response);
    } else {
      interceptors.reply(handler, call.request(), response, to -> send(result, to));
    }
  }

  private static void send(ExecutionResult result, HttpServletResponse response)
      throws IOException {
    if (result instanceof Replayed replayed) {
      replay(replayed, response);
    } else if (result instanceof InProgress inProgress) {
      Refusal.IN_PROGRESS.send(response, inProgress.retryAfter());
    } else if (result instanceof Conflict) {
      Refusal.CONFLICT.send(response);
    } else {
      Refusal.IN_DOUBT.send(response);
    }
  }

  private static void replay(Replayed replayed, HttpServletResponse response) throws IOException {
    response.setHeader(REPLAYED, "true");
    Optional<StoredAnswer> answer = replayed.result().flatMap(StoredAnswer::read);
    if (answer.isPresent()) {
      answer.get().send(response);
    } else {
      Refusal.ANSWER_NOT_STORED.send(response);
    }
  }

  private static void answer(Exception e, RequestCall call) throws ServletException, IOException {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    } else if (!(e instanceof StoreException) && !(e instanceof ReceiverClosedException)) {
      throw rethrown(e);
    }
    LOG.warn("A request with an idempotency key gets the status 503", e);
    call.response().discard();
    Refusal refusal = call.started() ? Refusal.OUTCOME_NOT_STORED : Refusal.NOTHING_RAN;
    refusal.send((HttpServletResponse) call.response().getResponse(), STORE_RETRY);
  }

  static ServletException rethrown(Exception e) throws ServletException, IOException {
    if (e instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (e instanceof IOException io) {
      throw io;
    } else if (e instanceof ServletException servlet) {
      return servlet;
    }
    return new ServletException(e);
  }
}
