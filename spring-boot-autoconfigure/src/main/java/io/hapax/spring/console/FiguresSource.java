package io.hapax.spring.console;

import io.hapax.console.figures.Figures;
import java.util.Optional;

/** Finds the figures that the application itself has of a consumer. */
@FunctionalInterface
public interface FiguresSource {

  /** Returns empty if the application has no meters. */
  Optional<Figures> of(String consumer);
}
