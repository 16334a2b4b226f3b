package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** The responses of Hapax itself, as problem details of RFC 9457. */
enum Refusal {
  MISSING_KEY(400, "Idempotency key missing", "This request needs an idempotency key."),
  INVALID_KEY(400, "Idempotency key invalid", "Send one idempotency key with 1 to 255 characters."),
  UNKNOWN_CLIENT(
      403,
      "Client unknown",
      "A request without a user needs a scope of its idempotency key: declare a bean of type"
          + " RequestScope."),
  BODY_TOO_LONG(413, "Body too long", "The body is longer than a request with a key may have."),
  IN_PROGRESS(
      409,
      "Request in progress",
      "Another request with this idempotency key runs. Send the request again later."),
  CONFLICT(
      422,
      "Idempotency key used before",
      "This idempotency key was used for another request. Use a new key."),
  ANSWER_NOT_STORED(
      409,
      "Response not stored",
      "An earlier request with this idempotency key took effect, but its response is not stored."),
  IN_DOUBT(
      500,
      "Outcome unknown",
      "An earlier request with this idempotency key may have taken effect. It is not repeated."),
  NOTHING_RAN(
      503, "Service unavailable", "The request had no effect. Send it again with the same key."),
  OUTCOME_NOT_STORED(
      503,
      "Service unavailable",
      "The request may have taken effect. Send it again with the same key.");

  private final int status;
  private final String body;

  /** The texts are constants without characters that JSON escapes. */
  Refusal(int status, String title, String detail) {
    this.status = status;
    String format = "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}";
    this.body = format.formatted(title, status, detail);
  }

  void send(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** Sends the response with {@code Retry-After}, in whole seconds and at least one. */
  void send(HttpServletResponse response, Duration retryAfter) throws IOException {
    long seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    send(response);
  }
}
