package io.hapax.console.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** The texts of the pages in one language. */
public final class Texts {

  /** The languages. The first one is the default. */
  public static final List<String> LANGUAGES = List.of("en", "zh");

  private final String language;
  private final Locale locale;
  private final Properties texts = new Properties();

  private Texts(String language) {
    this.language = language;
    this.locale = Locale.forLanguageTag(language);
    String file = "texts_" + language + ".properties";
    try (InputStream bytes = Texts.class.getResourceAsStream(file)) {
      if (bytes == null) {
        throw new IllegalStateException("the texts are missing: " + file);
      }
      Reader reader = new InputStreamReader(bytes, StandardCharsets.UTF_8);
      texts.load(reader);
    } catch (IOException e) {
      throw new IllegalStateException("the texts cannot be read: " + file, e);
    }
  }

  /** Loads the texts. */
  public static Texts of(String language) {
    return new Texts(language);
  }

  /** {@return the language: one of {@link #LANGUAGES}} */
  public String language() {
    return language;
  }

  /** {@return all keys} */
  public Set<String> keys() {
    return new TreeSet<>(texts.stringPropertyNames());
  }

  /** Returns a text in the format of {@link MessageFormat}, or its key if there is none. */
  public String get(String key, Object... arguments) {
    String text = texts.getProperty(key, key);
    return arguments.length == 0 ? text : new MessageFormat(text, locale).format(arguments);
  }
}
