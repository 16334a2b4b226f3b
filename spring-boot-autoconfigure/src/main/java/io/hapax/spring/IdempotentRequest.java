package io.hapax.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes requests with the same {@code Idempotency-Key} take effect once, and gives each of them the
 * same response. On a handler method of a Spring MVC controller, or on its class for all methods.
 *
 * <p>A key belongs to the user, the HTTP method and the path pattern. A bean of type
 * {@link io.hapax.spring.web.RequestScope} replaces the user. The interceptors of the handler run
 * before each of these answers but 400, 403, 413 and 503, and may refuse it. The application
 * answers:
 *
 * <ul>
 *   <li>the stored response with {@code Idempotency-Replayed: true}, if an earlier request with the
 *       key was answered. The handler does not run
 *   <li>409 with {@code Retry-After}, while another request with the key runs
 *   <li>409, if the earlier response was too long to store (65,535 bytes)
 *   <li>422, if the key came with another path, query or body, or to another handler of the path
 *   <li>400 without a key, or with two keys, or with one that is blank or above 255 characters
 *   <li>403 without a user, if the application has no such bean
 *   <li>413 for a body above {@code hapax.web.max-body}
 *   <li>503 with {@code Retry-After}, if the dedup store does not answer
 * </ul>
 *
 * <p><b>Stored</b> are successes, redirects and errors of the client, as the Idempotency-Key draft
 * of the IETF says. Not stored are statuses from 500, the answers 401, 403, 408, 425 and 429, and
 * exceptions that no exception handler answers. The next request with the key runs again.
 *
 * <p><b>Crashes.</b> The handler runs in leased mode: its transaction commits before the response
 * is stored. If the process dies in between, the next request runs the handler again once the lease
 * has expired. {@link CurrentDelivery} then has {@link io.hapax.Delivery#recovery()}. After an
 * answer that is not stored or an exception, the next request runs at once, with recovery: the
 * handler may have taken effect before. If {@link io.hapax.ExecutorBuilder#refuseUnknownOutcome} is
 * set, it gets 500 instead; then authenticate in a filter, not in an interceptor.
 *
 * <p>Hapax finds handlers at the start, also those of lazy beans and inherited ones. A handler that
 * the application registers later must not have the annotation: it might run unprotected.
 *
 * <p>Requests with a safe method (GET, HEAD, OPTIONS, TRACE) pass unchanged. An asynchronous
 * handler, and one that streams its response, keeps the application from starting.
 *
 * <p><b>Forwards.</b> If an idempotent handler forwards to other handlers or includes them, they
 * are part of its request. A handler without the annotation must neither forward nor dispatch to
 * one with it, nor include it: the request fails with a
 * {@link io.hapax.spring.web.RefusedHandlerException}. It may if {@link #required} is false and the
 * request has no key.
 *
 * <p><b>Bodies.</b> The filter reads the body first and gives the handler the same bytes. A
 * {@code MultipartResolver} that is responsible for a multipart body reads it as parts: then the
 * parts are compared, and reading the raw body fails.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface IdempotentRequest {

  /** {@return the name of the header with the key} */
  String header() default "Idempotency-Key";

  /**
   * {@return true to answer 400 to a request without a key; otherwise such a request runs each
   * time}
   */
  boolean required() default true;
}
