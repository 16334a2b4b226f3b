package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages say what the code does: their examples are compiled, and their tests exist. */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path HERE = Path.of("src/test/java/io/hapax/demo");
  private static final int INVARIANTS = 16;

  /** A test is named {@code Class.a_sentence}. */
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z0-9]+(?:_[a-z0-9]+)+)`");

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern MARKED =
      Pattern.compile("// README: begin\n(.*?) *// README: end", Pattern.DOTALL);
  private static final Pattern INVARIANT = Pattern.compile("(?m)^\\| (\\d+) \\|.*$");

  @Test
  void the_examples_of_the_readme_are_those_that_are_compiled_and_run() {
    List<String> compiled = Stream.of(
            "ReadmeFromNothing.java", "ReadmeOwnLoop.java", "ReadmeRocketMq.java")
        .map(name -> found(MARKED, read(HERE.resolve(name))).get(0).group(1))
        .map(region -> region.stripTrailing().stripIndent() + "\n")
        .toList();

    assertThat(found(EXAMPLE, read(ROOT.resolve("README.md"))))
        .extracting(example -> example.group(1))
        .containsExactlyElementsOf(compiled);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/compose.md",
        "docs/guarantees.md",
        "docs/mutants.md",
        "docs/observability.md",
        "docs/redis.md",
        "docs/replay.md",
        "docs/rocketmq.md",
        "docs/sql.md"
      })
  void every_test_that_a_page_names_exists(String page) {
    List<MatchResult> named = found(TEST, read(ROOT.resolve(page)));

    assertThat(named)
        .isNotEmpty()
        .allSatisfy(test -> assertThat(sources(test.group(1)))
            .as(test.group())
            .anyMatch(source -> source.contains(" " + test.group(2) + "(")));
  }

  @Test
  void every_invariant_stands_in_its_place_and_names_a_test() {
    List<MatchResult> rows = found(INVARIANT, read(ROOT.resolve("docs/guarantees.md")));

    assertThat(rows)
        .extracting(row -> Integer.valueOf(row.group(1)))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, INVARIANTS).boxed().toList());
    assertThat(rows).allSatisfy(row -> assertThat(row.group()).containsPattern(TEST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/guarantees.md"})
  void every_crash_point_names_a_test(String page) {
    List<String> rows = read(ROOT.resolve(page))
        .lines()
        .dropWhile(line -> !line.startsWith("| The process"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();

    assertThat(rows).hasSizeGreaterThan(4).allSatisfy(row -> assertThat(row).containsPattern(TEST));
  }

  private static List<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  private static List<String> sources(String type) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .flatMap(module -> Stream.of("src/test/java", "src/main/java").map(module::resolve))
          .filter(Files::isDirectory)
          .flatMap(DocumentationTest::tree)
          .filter(file -> file.getFileName().toString().equals(type + ".java"))
          .map(DocumentationTest::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> tree(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
