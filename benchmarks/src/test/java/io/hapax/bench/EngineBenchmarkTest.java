package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EngineBenchmarkTest {

  @Test
  void every_figure_is_in_the_table() {
    String report = Bench.run("engine", "--batch=50", "--messages=520", "--rounds=2");

    assertThat(report).contains("a message of 50 at once", "ns of CPU");
    for (EngineRounds.Subject subject : EngineRounds.Subject.values()) {
      assertThat(report).containsPattern("\n" + subject.title() + "( +[1-9][0-9]*){3}\n");
    }
    assertThat(report).containsPattern("\nthe engine: a handler for many( +-?[0-9]+){3}\n");
  }
}
