package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/**
 * Names the client that chose an idempotency key, so that two clients may choose the same key. A
 * bean of the application replaces the default, which is the name of the request's user. Without a
 * user, all clients share their keys, and one could read the response to another.
 */
@FunctionalInterface
public interface RequestScope {

  /**
   * Returns the scope of a request's key.
   *
   * @param request the request, after the filters of the application
   * @return the client, for example a tenant and a user; empty for one scope for all
   */
  String of(HttpServletRequest request);

  /**
   * Returns the default.
   *
   * @return the name of the user, or an empty text if the request has none
   */
  static RequestScope user() {
    return request -> {
      Principal user = request.getUserPrincipal();
      return user == null ? "" : user.getName();
    };
  }
}
