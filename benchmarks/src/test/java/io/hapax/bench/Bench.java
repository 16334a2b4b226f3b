package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a benchmark in this JVM. */
final class Bench {

  private Bench() {}

  /** Returns the report of a run that must succeed. */
  static String run(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .setErr(new PrintWriter(errors, true))
        .execute(arguments);
    assertThat(code).as(errors.toString()).isZero();
    return output.toString();
  }
}
