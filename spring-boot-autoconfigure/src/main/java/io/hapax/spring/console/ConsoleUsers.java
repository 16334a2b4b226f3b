package io.hapax.spring.console;

import io.hapax.console.http.Request.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;

/**
 * Finds the user of a request. The application has authenticated the user, and has refused users
 * who must not read. A change needs an authenticated user with the role.
 */
public final class ConsoleUsers {

  private static final EndpointId ENDPOINT = EndpointId.of(ConsoleEndpoint.ID);

  private final ConsoleProperties properties;
  private final EndpointAccessResolver access;

  /**
   * Makes the lookup.
   *
   * @param properties the role of users who may change something
   * @param access the access to endpoints that the application permits
   */
  public ConsoleUsers(ConsoleProperties properties, EndpointAccessResolver access) {
    this.properties = properties;
    this.access = access;
  }

  Caller of(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null
        ? new Caller("anonymous", false)
        : new Caller(user.getName(), mayWrite(request, properties.role()));
  }

  private boolean mayWrite(HttpServletRequest request, @Nullable String role) {
    return properties.allowWrites()
        && role != null
        && request.isUserInRole(role)
        && access.accessFor(ENDPOINT, Access.UNRESTRICTED) == Access.UNRESTRICTED;
  }
}
