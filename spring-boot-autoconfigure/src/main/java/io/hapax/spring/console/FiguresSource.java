package io.hapax.spring.console;

import io.hapax.console.figures.Figures;
import java.util.Optional;

/** Finds the figures that the application itself has of a consumer. */
@FunctionalInterface
public interface FiguresSource {

  /**
   * Finds the figures of a consumer.
   *
   * @param consumer the name of the consumer
   * @return the figures; empty if the application has no meters
   */
  Optional<Figures> of(String consumer);
}
