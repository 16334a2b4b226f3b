package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.bench.Contender.Operation;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs on real servers, without a check of the speed. */
@Timeout(120)
class StoresBenchmarkTest {

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void every_case_of_a_store_is_in_the_table(StoreKind store) {
    String report =
        run("--store=" + store, "--batch=1,20", "--threads=1,2", "--marks=0,12000", "--profile");

    assertThat(report)
        .containsPattern("\n  " + store + ": \\S")
        .contains(" 1 at once", "20 at once", "Profile: " + store + ", hapax of claim + settle");
    for (Operation operation : operations(store)) {
      boolean beside = store != StoreKind.MEMORY
          && (operation == Operation.FRESH || operation == Operation.RUN_ONCE);
      assertThat(lines(report, store, operation, beside)).as(operation.name()).hasSize(4);
    }
  }

  @Test
  void a_requested_but_unmeasured_case_is_reported_with_its_reason() {
    String report = run("--store=memory,h2", "--batch=1", "--threads=1", "--marks=2000000");

    assertThat(report)
        .contains("left out: memory with 2,000,000 marks: ", "left out: h2 with 2,000,000 marks: ");
  }

  /** Returns the lines of an operation with a rate for each batch, and floor and limit if due. */
  private static List<String> lines(
      String report, StoreKind store, Operation operation, boolean beside) {
    String line = "\n" + store + " +" + Pattern.quote(operation.title())
        + " +(0|12,000) +[12]( +[1-9][0-9,]*){2} +[0-9]+%"
        + (beside ? "( +[1-9][0-9,]*){2} +[0-9.]+ +[0-9]+ %" : " *") + "(?=\n)";
    return Pattern.compile(line)
        .matcher(report)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static List<Operation> operations(StoreKind store) {
    return switch (store) {
      case REDIS, COMPACT, MEMORY -> List.of(Operation.FRESH, Operation.CLAIM, Operation.KNOWN);
      case POSTGRES, MARIADB, H2 -> List.of(Operation.values());
    };
  }

  private static String run(String... options) {
    return Bench.run(
        Stream.concat(Stream.of("stores", "--rounds=1", "--round-millis=1"), Stream.of(options))
            .toArray(String[]::new));
  }
}
