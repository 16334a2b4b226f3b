package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view of a forwarded, included or dispatched request that keeps the attributes of a look-up for
 * its handler to itself, because the handler that includes it still needs its own.
 */
final class NestedLookup extends HttpServletRequestWrapper {

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
