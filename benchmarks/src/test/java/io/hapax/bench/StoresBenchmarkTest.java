package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs every case once on the real server, without a check of the speed. */
@Timeout(180)
class StoresBenchmarkTest {

  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @TempDir
  private Path folder;

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void every_case_of_a_store_runs_and_is_in_the_table_and_in_the_file(StoreKind store)
      throws Exception {
    JsonNode json = run("--store=" + store, "--batch=1,20", "--threads=1,2", "--marks=0,12000");

    List<JsonNode> results = list(json.at("/figures/rows"));
    assertThat(results)
        .hasSize(8 * operations(store).size())
        .allSatisfy(result -> assertThat(result.get("store").asText()).isEqualTo(store.name()))
        .allSatisfy(StoresBenchmarkTest::isComplete);
    assertThat(results)
        .extracting(result -> Operation.valueOf(result.get("operation").asText()))
        .hasSameElementsAs(operations(store));
    assertThat(json.at("/figures/servers").has(store.name())).isTrue();
    assertThat(json.get("machine").fieldNames())
        .toIterable()
        .containsExactly("processor", "memory", "system", "jdk", "fsync");
    assertThat(output.toString())
        .contains("12,000", "20 at once", json.get("date").asText());
    operations(store)
        .forEach(operation -> assertThat(output.toString()).contains(operation.title()));
  }

  @Test
  void aims_are_named_where_their_batch_is_measured() throws Exception {
    run("--store=memory", "--batch=500", "--threads=1", "--marks=0");

    assertThat(output.toString())
        .containsPattern("(reached|MISSED) +memory, claim of known ids, 0 marks, 1 thread, times a"
            + " fresh one: [0-9.]+, aim 1.00");
  }

  @Test
  void a_requested_but_unmeasured_case_is_reported_with_its_reason() throws Exception {
    JsonNode json = run("--store=memory,h2", "--batch=1", "--threads=1", "--marks=2000000");

    assertThat(list(json.at("/figures/rows"))).isEmpty();
    assertThat(list(json.at("/figures/leftOut")))
        .extracting(JsonNode::asText)
        .satisfiesExactly(
            h2 -> assertThat(h2).startsWith("h2 with 2,000,000 marks: ").contains("1,000,000"),
            memory -> assertThat(memory).startsWith("memory with 2,000,000 marks: "));
    assertThat(output.toString()).contains("left out: h2 with 2,000,000 marks: ");
  }

  private static List<Operation> operations(StoreKind store) {
    return switch (store) {
      case REDIS, COMPACT, MEMORY -> List.of(Operation.FRESH, Operation.CLAIM, Operation.KNOWN);
      case POSTGRES, MARIADB, H2 -> List.of(Operation.values());
    };
  }

  private static void isComplete(JsonNode result) {
    Operation operation = Operation.valueOf(result.get("operation").asText());
    boolean beside = !result.get("store").asText().equals("MEMORY")
        && List.of(Operation.FRESH, Operation.RUN_ONCE).contains(operation);
    assertThat(result.hasNonNull("floor")).isEqualTo(beside);
    assertThat(result.hasNonNull("limit")).isEqualTo(beside);
    for (String role : beside ? List.of("hapax", "floor", "limit") : List.of("hapax")) {
      assertThat(result.get(role).at("/rate/median").asDouble()).isPositive();
    }
  }

  private JsonNode run(String... options) throws Exception {
    Path file = folder.resolve("stores.json");
    List<String> all = new ArrayList<>(List.of("stores", "--rounds=1"));
    all.addAll(List.of("--round-millis=1", "--json=" + file));
    all.addAll(List.of(options));
    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .setErr(new PrintWriter(errors, true))
        .execute(all.toArray(String[]::new));
    assertThat(code).as(errors.toString()).isZero();
    return new ObjectMapper().readTree(file.toFile());
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
