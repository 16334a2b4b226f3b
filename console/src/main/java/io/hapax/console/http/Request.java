package io.hapax.console.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP request, independent of the server.
 *
 * @param method the method, in capitals
 * @param path the decoded path, with the console's base
 * @param headers the headers by their names in lower case
 * @param query the parameters of the address
 * @param form the fields of the body
 * @param remote the address of the client, for the action log
 * @param caller the user that the surrounding application has authenticated; empty if the console
 *     signs users in
 */
public record Request(
    String method,
    String path,
    Map<String, String> headers,
    Map<String, List<String>> query,
    Map<String, List<String>> form,
    String remote,
    Optional<Caller> caller) {

  /**
   * A user of the surrounding application.
   *
   * @param name the name
   * @param mayWrite whether the user has the role for write actions
   */
  public record Caller(String name, boolean mayWrite) {}

  /** {@return whether the request is read-only: true for GET and HEAD} */
  public boolean reads() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /**
   * {@return the value of a header}
   *
   * @param name in lower case
   */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /**
   * {@return the first value of a parameter of the address; empty if it is missing or blank}
   *
   * @param name the name
   */
  public Optional<String> query(String name) {
    return first(query, name);
  }

  /**
   * {@return the first value of a field of the body; empty if it is missing or blank}
   *
   * @param name the name
   */
  public Optional<String> form(String name) {
    return first(form, name);
  }

  private static Optional<String> first(Map<String, List<String>> from, String name) {
    return from.getOrDefault(name, List.of()).stream()
        .filter(value -> !value.isBlank())
        .findFirst();
  }

  /**
   * {@return the value of a cookie}
   *
   * @param name the name
   */
  public Optional<String> cookie(String name) {
    for (String part : header("cookie").orElse("").split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0 && part.substring(0, equals).strip().equals(name)) {
        return Optional.of(part.substring(equals + 1).strip());
      }
    }
    return Optional.empty();
  }
}
