package io.hapax.console;

import io.hapax.console.figures.Figures;
import io.hapax.console.operations.Deployment;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** Opens consoles with a clock that the test controls. */
public final class FastConsoles {

  private FastConsoles() {}

  public static Console open(
      ConsoleSettings settings, Deployment deployment, Figures figures, InstantSource clock)
      throws IOException {
    return Console.open(settings, deployment, figures, Optional.empty(), clock);
  }
}
