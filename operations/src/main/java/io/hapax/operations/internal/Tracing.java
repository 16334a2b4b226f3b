package io.hapax.operations.internal;

import io.hapax.operations.text.Text;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Knows the headers of tracing, and names headers for people. */
public final class Tracing {

  private static final int MOST_NAMES = 20;

  private static final Set<String> HEADERS = Set.of(
      "traceparent",
      "tracestate",
      "baggage",
      "b3",
      "uber-trace-id",
      "sw8",
      "sw8-x",
      "sw8-correlation");

  private Tracing() {}

  /**
   * {@return whether a header belongs to tracing, of W3C, Zipkin, Jaeger or SkyWalking} Such a
   * header differs if a message is sent again.
   */
  public static boolean isTracing(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return HEADERS.contains(name) || name.startsWith("x-b3-");
  }

  /**
   * {@return the names of headers as a part of a sentence on one line, with their kind, such as
   * headers; of the names the first twenty are used}
   */
  public static Text names(String kind, Collection<String> names) {
    String some = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return some.isEmpty() ? Text.of("names.no-" + kind) : Text.of("names." + kind, some);
  }
}
