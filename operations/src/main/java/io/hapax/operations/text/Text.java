package io.hapax.operations.text;

import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A text for people, which is written in a language only when it is shown. The sentences of each
 * language are in a file {@code texts_LANGUAGE.properties}. A sentence with a percent sign is a
 * format of {@link String#format}, which aligns columns; each other one is a {@link MessageFormat}.
 *
 * @param key the key of the sentence; if it is blank, the text consists of its arguments, each with
 *     the key as its end
 * @param arguments the values: texts, numbers of the type Long, and names, which are the same in
 *     each language. In a sentence, control characters of names are replaced by spaces, so that
 *     foreign text does not look like a line of a report
 */
public record Text(String key, List<Object> arguments) {

  /** No text. */
  public static final Text NONE = joined(List.of());

  private static final String BUNDLE = "io.hapax.operations.text.texts";

  /** Control characters, and those that reorder or break the line they are printed in. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  /**
   * Converts the arguments to their types.
   *
   * @param key the key
   * @param arguments the values; a duration becomes a text in its largest unit
   */
  public Text {
    arguments = arguments.stream().map(Text::argument).toList();
  }

  private static Object argument(Object value) {
    if (value instanceof Duration duration) {
      return age(duration);
    } else if (value instanceof Number number) {
      return number.longValue();
    }
    return value instanceof Text ? value : value.toString();
  }

  /**
   * {@return a sentence with its values}
   *
   * @param key the key of the sentence
   * @param arguments the values
   */
  public static Text of(String key, Object... arguments) {
    return new Text(key, List.of(arguments));
  }

  /**
   * {@return a text that is the same in each language: a name, or the text of another program}
   *
   * @param name the text
   */
  public static Text plain(String name) {
    return name.isEmpty() ? NONE : of("", name);
  }

  /**
   * {@return the whole text that a mark keeps, which {@link Bytes#toString} cuts}
   *
   * @param detail the detail of the mark
   */
  public static Text plain(Bytes detail) {
    return plain(new String(detail.toByteArray(), StandardCharsets.UTF_8));
  }

  /**
   * {@return texts one after the other}
   *
   * @param texts the texts
   */
  public static Text joined(List<Text> texts) {
    return new Text("", List.copyOf(texts));
  }

  /**
   * {@return texts as lines, each with its line end}
   *
   * @param texts the texts
   */
  public static Text lines(List<Text> texts) {
    return new Text("\n", List.copyOf(texts));
  }

  /**
   * {@return a duration in its largest unit; a negative one is zero}
   *
   * @param age the duration
   */
  public static Text age(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return of("unit.seconds", seconds);
    } else if (seconds < 7_200) {
      return of("unit.minutes", seconds / 60);
    }
    return seconds < 172_800
        ? of("unit.hours", seconds / 3_600)
        : of("unit.days", seconds / 86_400);
  }

  /** {@return whether there is no text} */
  public boolean isEmpty() {
    return key.isBlank() && arguments.isEmpty();
  }

  /**
   * {@return this text in a language; the key instead of a sentence that is not known}
   *
   * @param language English or Chinese
   */
  public String in(Locale language) {
    if (key.isBlank()) {
      return arguments.stream()
          .map(it -> it instanceof Text text ? text.in(language) + key : it + key)
          .collect(Collectors.joining());
    }
    Object[] values = arguments.stream().map(it -> shown(it, language)).toArray();
    ResourceBundle sentences = ResourceBundle.getBundle(BUNDLE, language);
    String sentence = sentences.containsKey(key) ? sentences.getString(key) : key;
    return sentence.contains("%")
        ? String.format(Locale.ROOT, sentence, values)
        : new MessageFormat(sentence, language).format(values);
  }

  private static Object shown(Object argument, Locale language) {
    if (argument instanceof Text text) {
      String shown = text.in(language);
      return text.key().isEmpty() ? sanitize(shown) : shown;
    }
    return argument instanceof String name ? sanitize(name) : argument;
  }

  /**
   * {@return a text with spaces instead of its control characters}
   *
   * @param text foreign text
   */
  public static String sanitize(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }

  /** {@return this text in English, for the command line, logs and exceptions} */
  @Override
  public String toString() {
    return in(Locale.ENGLISH);
  }

  /** {@return an exception that refuses a request with this text} */
  public IllegalArgumentException refusal() {
    return new TextExceptions.Refusal(this);
  }

  /**
   * {@return an exception with this text: the broker did not answer as expected}
   *
   * @param causes the cause; none if it is not known
   */
  public AuditFailedException failure(Throwable... causes) {
    return TextExceptions.caused(new TextExceptions.BrokerFailure(this), causes);
  }

  /**
   * {@return an exception with this text: the store did not answer as expected}
   *
   * @param causes the cause; none if it is not known
   */
  public StoreException storeFailure(Throwable... causes) {
    return TextExceptions.caused(new TextExceptions.StoreFailure(this), causes);
  }
}
