package io.hapax.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Measures the engine. */
@Command(name = "engine", description = "Measures what a message costs in the engine itself.")
final class EngineCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    return 0;
  }
}
