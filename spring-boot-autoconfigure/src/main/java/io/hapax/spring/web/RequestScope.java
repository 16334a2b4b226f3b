package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/**
 * Names the client that chose an idempotency key, so that two clients may choose the same key. A
 * bean of the application replaces the default, which is the name of the request's user. A request
 * with a key and without a scope gets 403, because one client could read the response to another.
 */
@FunctionalInterface
public interface RequestScope {

  /**
   * Returns the scope of a request's key.
   *
   * @param request the request, after the filters of the application
   * @return the client, for example a tenant and a user; empty to refuse the request
   */
  String of(HttpServletRequest request);

  /**
   * {@return the default, which refuses requests without a user: the name of the user, or an empty
   * text if the request has none}
   */
  static RequestScope user() {
    return request -> {
      Principal user = request.getUserPrincipal();
      return user == null ? "" : user.getName();
    };
  }

  /**
   * {@return one scope for all clients: the same scope for each request} A client that knows the
   * key of another one can read its response: only for clients that trust each other.
   */
  static RequestScope shared() {
    return request -> "shared";
  }
}
