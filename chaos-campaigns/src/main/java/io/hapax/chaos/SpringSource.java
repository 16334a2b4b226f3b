package io.hapax.chaos;

import java.util.Map;
import java.util.function.Predicate;

/**
 * The part of the Spring application that belongs to a broker.
 *
 * @param listener the bean with the annotated listener
 * @param properties of the application
 * @param unreached whether the application did not start because no broker can be reached
 */
record SpringSource(
    Class<?> listener, Map<String, Object> properties, Predicate<Throwable> unreached) {

  SpringSource {
    properties = Map.copyOf(properties);
  }
}
