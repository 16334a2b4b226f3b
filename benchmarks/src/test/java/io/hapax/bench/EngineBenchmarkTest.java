package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EngineBenchmarkTest {

  private final StringWriter output = new StringWriter();

  @TempDir
  private Path folder;

  @Test
  void every_figure_is_in_the_table_and_in_the_file() throws Exception {
    Path file = folder.resolve("engine.json");

    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute(
            "engine", "--batch=50", "--messages=520", "--rounds=2", "--profile", "--json=" + file);

    assertThat(code).isZero();
    JsonNode figures = new ObjectMapper().readTree(file.toFile()).get("figures");
    for (EngineSubject subject : EngineSubject.values()) {
      JsonNode cost = figures.get(subject.name());
      assertThat(cost.get("wallNanos").asDouble()).isPositive();
      assertThat(cost.get("cpuNanos").asDouble()).isPositive();
      assertThat(cost.get("bytes").asDouble()).isPositive();
    }
    assertThat(output.toString())
        .contains("a message of 50 at once", "the store alone", "ns of CPU", "time, by method");
  }
}
