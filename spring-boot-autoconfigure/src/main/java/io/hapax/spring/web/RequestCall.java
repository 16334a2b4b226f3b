package io.hapax.spring.web;

import io.hapax.Delivery;
import io.hapax.IdempotentCall;
import io.hapax.mark.Bytes;
import io.hapax.spring.CurrentDelivery;
import jakarta.servlet.FilterChain;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the rest of the filter chain as a call, with its response as the result. */
final class RequestCall implements IdempotentCall<Exception> {

  /** Answers to the moment, not to the request. */
  private static final Set<Integer> MOMENTARY = Set.of(401, 403, 408, 425, 429);

  /** The answer is not stored. It is unknown whether the handler ran, and what it did before. */
  private static final class FailedAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FailedAnswerException(String message) {
      super(message);
    }
  }

  private final FilterChain chain;
  private final BufferedRequest request;
  private final HeldResponse response;
  private final List<String> headers;
  private boolean started;
  private @Nullable Exception unstored;
  private @Nullable Throwable failure;

  RequestCall(
      FilterChain chain, BufferedRequest request, HeldResponse response, List<String> headers) {
    this.chain = chain;
    this.request = request;
    this.response = response;
    this.headers = headers;
  }

  @Override
  public Bytes call(Delivery<Bytes> delivery) throws Exception {
    started = true;
    try {
      CurrentDelivery.during(List.of(delivery), () -> chain.doFilter(request, response));
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
    int status = response.getStatus();
    if (status >= 500 || MOMENTARY.contains(status)) {
      unstored = new FailedAnswerException("the handler of " + request.getMethod() + " "
          + request.getRequestURI() + " answered with the status " + status
          + ", which is not stored");
      throw unstored;
    }
    return response.answer(headers).toBytes();
  }

  BufferedRequest request() {
    return request;
  }

  HeldResponse response() {
    return response;
  }

  boolean started() {
    return started;
  }

  boolean answeredWithout(Exception e) {
    return e == unstored;
  }

  boolean threw(Exception e) {
    return e == failure;
  }
}
