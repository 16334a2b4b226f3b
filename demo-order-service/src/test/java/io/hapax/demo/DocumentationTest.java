package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the pages: examples are compiled, tests exist, links and claims lead somewhere. */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path EVIDENCE = ROOT.resolve("docs/verification");
  private static final int INVARIANTS = 16;

  /** A test is named {@code Class.a_sentence}. */
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.([a-z0-9]+(?:_[a-z0-9]+)+)`");

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern MARKED =
      Pattern.compile("// example: begin\n(.*?) *// example: end", Pattern.DOTALL);
  private static final Pattern INVARIANT = Pattern.compile("(?m)^\\| (\\d+) \\|.*$");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern TARGET = Pattern.compile("<a id=\"([^\"]+)\">|(?m)^#+ (.*)$");

  private static final Map<String, List<Path>> SOURCES = sources();

  @Test
  void the_examples_of_the_pages_are_compiled() {
    assertExamples("README.md", "ReadmeNaive", "ReadmeFromNothing", "ReadmeRocketMq");
    assertExamples("docs/kafka.md", "KafkaPageOwnLoop");
    assertExamples("docs/executor.md", "ExecutorPageOrders");
    assertExamples("docs/configuration.md", "ConfigurationPageRetry");
  }

  @ParameterizedTest
  @MethodSource("evidence")
  void every_test_that_a_page_names_exists(Path page) {
    assertThat(found(TEST, read(page)))
        .isNotEmpty()
        .allSatisfy(test -> assertThat(sources(test.group(1)))
            .as(test.group())
            .anyMatch(source -> source.contains(" " + test.group(2) + "(")));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void only_the_evidence_contains_test_names(Path page) {
    assertThat(found(TEST, read(page)))
        .filteredOn(name -> !page.startsWith(EVIDENCE))
        .isEmpty();
  }

  @Test
  void every_invariant_is_in_its_place_and_names_a_test() {
    List<MatchResult> rows = found(INVARIANT, read(EVIDENCE.resolve("claims.md")));

    assertThat(rows)
        .extracting(row -> Integer.valueOf(row.group(1)))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, INVARIANTS).boxed().toList());
    assertThat(rows).allSatisfy(row -> assertThat(row.group()).containsPattern(TEST));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_of_a_page_leads_to_a_file_and_its_anchor(Path page) {
    assertThat(found(LINK, CODE.matcher(read(page)).replaceAll("")))
        .filteredOn(link -> !link.group(1).contains(":"))
        .allSatisfy(link -> {
          Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
          assertThat(target.normalize()).as(link.group()).exists();
          if (link.group(2) != null) {
            assertThat(anchors(target)).as(link.group()).contains(link.group(2));
          }
        });
  }

  @ParameterizedTest
  @MethodSource("crashPages")
  void every_crash_point_leads_to_its_row(String page) {
    List<String> rows = read(ROOT.resolve(page))
        .lines()
        .dropWhile(line -> !line.startsWith("| The process"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();

    assertThat(rows)
        .hasSizeGreaterThan(4)
        .allSatisfy(
            row -> assertThat(row).containsPattern("verification/claims\\.md#|" + TEST.pattern()));
  }

  static Stream<String> crashPages() {
    return Stream.of("docs/guarantees.md", "docs/verification/claims.md");
  }

  static Stream<Path> evidence() {
    return markdown(EVIDENCE)
        .filter(page -> !page.endsWith("campaign.md")); // it has figures, and links to the tests
  }

  static Stream<Path> pages() {
    return Stream.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/monitoring"), EVIDENCE)
        .flatMap(DocumentationTest::markdown);
  }

  private static void assertExamples(String page, String... sources) {
    List<String> compiled = Stream.of(sources)
        .map(name -> found(MARKED, sources(name).get(0)).get(0).group(1))
        .map(region -> region.stripTrailing().stripIndent() + "\n")
        .toList();

    assertThat(found(EXAMPLE, read(ROOT.resolve(page))))
        .extracting(example -> example.group(1))
        .containsExactlyElementsOf(compiled);
  }

  /** Returns the anchors of a page: its {@code <a id>}s, and its headings as GitHub links them. */
  private static Set<String> anchors(Path page) {
    return found(TARGET, read(page)).stream()
        .map(target -> target.group(1) != null
            ? target.group(1)
            : target
                .group(2)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  /** Returns the sources of the class of that simple name, of any module. */
  private static List<String> sources(String type) {
    return SOURCES.getOrDefault(type + ".java", List.of()).stream()
        .map(DocumentationTest::read)
        .toList();
  }

  private static Map<String, List<Path>> sources() {
    return list(ROOT)
        .flatMap(module -> Stream.of("src/test/java", "src/main/java").map(module::resolve))
        .filter(Files::isDirectory)
        .flatMap(DocumentationTest::tree)
        .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
  }

  private static Stream<Path> markdown(Path folder) {
    return list(folder).filter(file -> file.toString().endsWith(".md"));
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList().stream();
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
