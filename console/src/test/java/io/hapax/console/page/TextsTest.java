package io.hapax.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hapax.DeadLetter;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.view.JobView;
import io.hapax.console.view.PlanView;
import io.hapax.console.view.ReplayView;
import io.hapax.console.view.View;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import io.hapax.operations.lookup.MessageEvent;
import io.hapax.operations.lookup.MessageVerdict;
import io.hapax.operations.lookup.Repair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextsTest {

  private static final Path MAIN = Path.of("src/main");
  private static final Path TEMPLATES = MAIN.resolve("jte");

  /** A string literal in a source. Every key is a literal, or begins with one. */
  private static final Pattern QUOTED = Pattern.compile("\"([a-z][\\w.-]*)\"");

  private static final Pattern FAMILY = Pattern.compile("texts, \"([a-z-]+)\"");
  private static final Pattern KEY = Pattern.compile("texts\\.get\\(\"([\\w.-]*[\\w-])\"[,)]");
  private static final Pattern ARGUMENT = Pattern.compile("\\{(\\d)");
  private static final Pattern READ_OUT =
      Pattern.compile("(?:aria-label|title|alt|placeholder)=\"(?!\\$)[^\"]+\"");

  @Test
  void both_languages_have_the_same_keys() {
    assertThat(Texts.of("zh").keys()).isEqualTo(Texts.of("en").keys());
  }

  @Test
  void both_languages_use_the_same_arguments() {
    Texts english = Texts.of("en");
    Texts chinese = Texts.of("zh");

    assertThat(english.keys())
        .allSatisfy(key -> assertThat(found(ARGUMENT, chinese.get(key)))
            .as(key)
            .isEqualTo(found(ARGUMENT, english.get(key))));
  }

  @ParameterizedTest
  @MethodSource("languages")
  void every_text_is_a_format_without_apostrophes(String language) {
    Texts texts = Texts.of(language);

    assertThat(texts.keys()).allSatisfy(key -> {
      assertThat(texts.get(key)).as(key).isNotBlank().doesNotContain("'");
      assertThatCode(() -> new MessageFormat(texts.get(key), Locale.ROOT))
          .doesNotThrowAnyException();
    });
  }

  @Test
  void every_key_that_a_template_names_exists() {
    Set<String> keys = Texts.of("en").keys();

    assertThat(templates())
        .isNotEmpty()
        .allSatisfy(template ->
            assertThat(keys).as(template.toString()).containsAll(found(KEY, read(template))));
  }

  @Test
  void no_key_is_unused() {
    Set<String> quoted = inSources(QUOTED);
    Set<String> families = inSources(FAMILY);

    assertThat(Texts.of("en").keys()).allSatisfy(key -> {
      String name = key.replaceFirst("\\.hint$", "");
      assertThat(name)
          .matches(
              it -> quoted.contains(it)
                  || quoted.contains(it.substring(0, it.lastIndexOf('.') + 1))
                  || families.contains(it.substring(0, Math.max(0, it.indexOf('.')))),
              "is used");
    });
  }

  @Test
  void every_value_of_a_family_has_a_text() {
    assertFamily("view", Stream.of(View.values()).map(View::path));
    assertFamily("state", marks());
    assertFamily("until", marks());
    assertFamily("job-state", Stream.of(JobView.State.values()).map(Enum::name));
    assertFamily("trial-action", Stream.of(TrialAction.values()).map(Enum::name));
    assertFamily("trial-lane", Stream.of(TrialLane.values()).map(Enum::name));
    assertFamily("trial-step", Stream.of(TrialStep.Kind.values()).map(Enum::name));
    assertFamily("trial-state", Stream.of(TrialConsumer.State.values()).map(Enum::name));
    assertFamily("plan", Stream.of(PlanView.State.values()).map(Enum::name));
    assertFamily("step", Stream.of(ReplayView.Step.values()).map(Enum::name));
    assertFamily("problem", Stream.of(Problem.Kind.values()).map(Enum::name));
    assertFamily("message", Stream.of(MessageVerdict.values()).map(Enum::name));
    assertFamily("action", Stream.of(Repair.values()).map(Repair::text));
    assertFamily("source", Stream.of(MessageEvent.Source.values()).map(it -> it.text()));
    assertFamily("letter", Stream.of(DeadLetter.Kind.values()).map(Enum::name));
  }

  @ParameterizedTest
  @MethodSource("templates")
  void a_template_contains_no_text_of_its_own(Path template) {
    String source = read(template);

    assertThat(TemplateText.of(source)).doesNotContainPattern("\\p{L}");
    assertThat(source).doesNotContainPattern(READ_OUT);
  }

  @ParameterizedTest
  @MethodSource("templates")
  void a_template_has_no_inline_script_or_style_and_escapes_everything(Path template) {
    assertThat(read(template))
        .doesNotContain("$unsafe", "<style", "style=", "javascript:", "hx-on", "autofocus")
        .doesNotContainPattern("<script(?![^>]* src=)")
        .doesNotContainPattern("\\son[a-z]+=");
  }

  static List<String> languages() {
    return Texts.LANGUAGES;
  }

  static Stream<Path> templates() {
    return files(TEMPLATES);
  }

  /** Returns the states of stored marks. */
  private static Stream<String> marks() {
    return Stream.of(MarkState.values()).filter(it -> it != MarkState.ABSENT).map(Enum::name);
  }

  private static void assertFamily(String family, Stream<String> names) {
    assertThat(Texts.of("en").keys())
        .containsAll(names.map(name -> family + "." + name).toList());
  }

  private static Set<String> inSources(Pattern pattern) {
    return files(MAIN)
        .filter(it -> it.toString().endsWith(".jte") || it.toString().endsWith(".java"))
        .flatMap(it -> found(pattern, read(it)).stream())
        .collect(Collectors.toSet());
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult it) -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList().stream();
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
