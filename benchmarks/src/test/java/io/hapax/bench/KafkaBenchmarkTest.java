package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a real broker, without a check of the speed. */
@Tag("nightly")
@Timeout(180)
class KafkaBenchmarkTest {

  private final StringWriter output = new StringWriter();

  @TempDir
  private Path folder;

  @Test
  void a_receiver_is_measured_beside_a_bare_loop_and_the_engine() throws Exception {
    Path file = folder.resolve("kafka.json");

    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute(
            "kafka",
            "--subject=bare,engine,memory",
            "--records=1000",
            "--poll=50",
            "--seconds=0.2",
            "--warm-ups=0",
            "--rounds=1",
            "--latency=100",
            "--json=" + file);

    assertThat(code).isZero();
    JsonNode figures = new ObjectMapper().readTree(file.toFile()).get("figures");
    for (String subject : new String[] {"BARE", "ENGINE", "MEMORY"}) {
      assertThat(figures.at("/rates/" + subject + "/median").asDouble()).isPositive();
    }
    assertThat(figures.at("/latencies/100/MEMORY/p99Millis").asDouble()).isPositive();
    assertThat(output.toString())
        .contains("1,000 records of 200 bytes in 4 partitions, max.poll.records 50")
        .containsPattern("bare poll loop +[1-9][0-9,]* +0 % +100 %")
        .containsPattern("KafkaReceiver, marks in memory, part of the (bare loop|engine): ");
  }
}
