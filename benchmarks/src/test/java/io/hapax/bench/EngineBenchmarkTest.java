package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
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
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("messagesOfARound").asInt()).isEqualTo(500);
    for (String subject : new String[] {"single", "batch", "store"}) {
      assertThat(json.get(subject).get("wallNanos").asDouble()).isPositive();
      assertThat(json.get(subject).get("cpuNanos").asDouble()).isPositive();
      assertThat(json.get(subject).get("bytes").asDouble()).isPositive();
    }
    double engine = json.get("single").get("bytes").asDouble()
        - json.get("store").get("bytes").asDouble();
    assertThat(json.get("engineOfSingle").get("bytes").asDouble())
        .isCloseTo(engine, Offset.offset(0.2));
    assertThat(json.get("engineOfBatch").has("reached")).isTrue();
    assertThat(output.toString()).contains("the store alone", "ns of CPU", "time, by method");
  }
}
