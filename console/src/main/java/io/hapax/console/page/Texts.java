package io.hapax.console.page;

import io.hapax.operations.text.Text;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;

/** The texts of the pages in one language. */
public final class Texts {

  /** The languages. The first one is the default. */
  public static final List<String> LANGUAGES = List.of("en", "zh");

  private final Locale locale;
  private final ResourceBundle texts;

  private Texts(Locale locale) {
    this.locale = locale;
    this.texts = ResourceBundle.getBundle("io.hapax.console.page.texts", locale);
  }

  /** Loads the texts of one of {@link #LANGUAGES}. */
  public static Texts of(String language) {
    return new Texts(Locale.forLanguageTag(language));
  }

  /** {@return all keys} */
  public Set<String> keys() {
    return new TreeSet<>(texts.keySet());
  }

  /** Returns a text of the operations. */
  public String get(Text text) {
    return text.in(locale);
  }

  /** Returns a text in the format of {@link MessageFormat}, or its key if there is none. */
  public String get(String key, Object... arguments) {
    String text = texts.containsKey(key) ? texts.getString(key) : key;
    return arguments.length == 0 ? text : new MessageFormat(text, locale).format(arguments);
  }
}
