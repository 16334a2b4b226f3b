package io.hapax.operations.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Resolution;
import io.hapax.operations.audit.Finding;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts of the operations in both languages. */
class TextTest {

  /** The modules whose sources make texts. */
  private static final List<String> MODULES =
      List.of("operations", "console", "hapax-cli", "spring-boot-autoconfigure");

  private static final Pattern USED = Pattern.compile(
      "(?:Text\\.of|(?:line|remarked)(?=\\(\\s*\"[\\w-]+\\.))\\(\\s*\"([\\w.-]*\\w)\"");
  private static final Pattern QUOTED = Pattern.compile("\"([a-z][\\w.-]*)\"");
  private static final Pattern ARGUMENT = Pattern.compile("\\{\\d|%[^%sd]*[sd]");
  private static final Pattern LETTER = Pattern.compile("\\p{L}");
  private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

  private static ResourceBundle bundle(Locale language) {
    return ResourceBundle.getBundle("io.hapax.operations.text.texts", language);
  }

  private static final ResourceBundle ENGLISH = bundle(Locale.ENGLISH);
  private static final ResourceBundle CHINESE = bundle(Locale.CHINESE);

  @Test
  void both_languages_have_the_same_keys() {
    assertThat(CHINESE.keySet()).isEqualTo(ENGLISH.keySet());
  }

  @Test
  void both_languages_use_the_same_arguments() {
    assertThat(ENGLISH.keySet())
        .filteredOn(key -> !key.startsWith("report.") && !key.equals("redrive.oldest"))
        .allSatisfy(key -> assertThat(found(ARGUMENT, CHINESE.getString(key)))
            .as(key)
            .isEqualTo(found(ARGUMENT, ENGLISH.getString(key))));
  }

  @Test
  void each_sentence_with_words_has_words_in_chinese() {
    assertThat(ENGLISH.keySet()).allSatisfy(key -> {
      String words = ENGLISH.getString(key).replaceAll("\\{[^{}]*}|%[^%sd]*[sd]", "");
      assertThat(HAN.matcher(CHINESE.getString(key)).find())
          .as(key)
          .isEqualTo(LETTER.matcher(words).find() || key.startsWith("failed."));
    });
  }

  @Test
  void every_key_that_a_source_names_exists() {
    assertThat(ENGLISH.keySet()).containsAll(inSources(USED));
    assertFamily("kind.", DeadLetter.Kind.values());
    assertFamily("effect.", Resolution.Kind.values());
    assertFamily("finding.", Finding.values());
  }

  private static void assertFamily(String prefix, Enum<?>[] values) {
    assertThat(ENGLISH.keySet())
        .containsAll(Stream.of(values).map(it -> prefix + it.name()).toList());
  }

  @Test
  void no_key_is_unused() {
    Set<String> quoted = inSources(QUOTED);
    Set<String> prefixes = inSources(Pattern.compile("\"([a-z.]+[.-])\" \\+"));

    assertThat(ENGLISH.keySet())
        .allSatisfy(key -> assertThat(quoted.contains(key.replaceFirst("\\.hint$", ""))
                || prefixes.stream().anyMatch(key::startsWith))
            .as(key)
            .isTrue());
  }

  @Test
  void a_text_is_written_in_the_language_in_which_it_is_shown() {
    Text busy = Text.of("mark.busy", Duration.ofSeconds(30));
    Text refused = Text.of("log.refused", busy);

    assertThat(refused)
        .hasToString("refused: an owner holds it, or it waits for its next attempt, for 30 s");
    assertThat(refused.in(Locale.CHINESE)).isEqualTo("拒绝：它正被持有，或在等待下次尝试，还需 30 秒");
    assertThat(
            Text.of("group.not-moved", "g", "q-0", Text.of("offset.none"), 1L).toString())
        .contains("in q-0 it is at no offset and not at 1");
    assertThat(Text.lines(List.of(busy, Text.plain("a"))).in(Locale.CHINESE))
        .isEqualTo(busy.in(Locale.CHINESE) + "\na\n");
  }

  @Test
  void one_message_is_no_messages() {
    assertThat(Stream.of(0, 1, 2).map(it -> Text.of("messages", it).toString()))
        .containsExactly("0 messages", "1 message", "2 messages");
    assertThat(Text.of("tally.possible", 1, 1, 0)).hasToString("1 message: 1 possible, 0 refused");
    assertThat(Text.of("tally.changed", 1, 0, 1)).hasToString("1 message: 0 changed, 1 refused");
    assertThat(Text.of("redrive.failed", "a", "orders.dead-0@1", 1))
        .asString()
        .endsWith("Before it, 1 message was published");
  }

  @Test
  void foreign_text_begins_no_line_of_a_sentence() {
    assertThat(Text.of("topic.unknown", "a\nb\u202e")).hasToString("topic a b  does not exist");
    assertThat(Text.of("topic.unknown", Text.plain("a\nb")))
        .hasToString("topic a b does not exist");
  }

  @Test
  void an_exception_is_explained_by_its_texts_and_its_causes() {
    Exception reset = new IOException("connection reset");
    Throwable failure = Text.of("brokers.refused", "timeout").failure(reset);

    assertThat(failure).isInstanceOf(AuditFailedException.class).hasCause(reset);
    assertThat(TextExceptions.text(failure))
        .hasToString("the brokers did not take the message: timeout: connection reset");
    assertThat(TextExceptions.text(failure).in(Locale.CHINESE))
        .isEqualTo("消息代理没有接受消息：timeout：connection reset");
    assertThat(TextExceptions.text(new StoreException("ERR", reset)).in(Locale.CHINESE))
        .isEqualTo("存储出错：ERR：connection reset");
    assertThat(TextExceptions.text(new IllegalStateException("a: b", new IOException("b"))))
        .hasToString("a: b");
    Exception broken = new IOException("a\r\nb");
    assertThat(TextExceptions.text(Text.of("brokers.refused", "a\r\nb").failure(broken)))
        .hasToString("the brokers did not take the message: a b");
  }

  private static Set<String> inSources(Pattern pattern) {
    return MODULES.stream()
        .flatMap(it -> sources(Path.of("..", it, "src/main/java")))
        .flatMap(it -> found(pattern, it).stream())
        .collect(Collectors.toSet());
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(it -> it.group(it.groupCount()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> sources(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all
          .filter(it -> it.toString().endsWith(".java"))
          .map(TextTest::read)
          .toList()
          .stream();
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
