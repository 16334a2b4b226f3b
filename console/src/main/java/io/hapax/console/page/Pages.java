package io.hapax.console.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.hapax.console.view.Page;
import java.util.HashMap;
import java.util.Map;

/** Renders the compiled templates. */
public final class Pages {

  private static final String PACKAGE = "io.hapax.console.templates";

  private final TemplateEngine engine = TemplateEngine.createPrecompiled(
      null, ContentType.Html, Pages.class.getClassLoader(), PACKAGE);
  private final Map<String, Texts> texts = new HashMap<>();

  /** Loads the texts of all languages. */
  public Pages() {
    Texts.LANGUAGES.forEach(language -> texts.put(language, Texts.of(language)));
  }

  /** Renders a page or a fragment. The name of its template has no suffix. */
  public String render(String template, Page page, Object view) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("page", page);
    parameters.put("view", view);
    Texts inLanguage = texts.get(page.language());
    if (inLanguage == null) {
      throw new IllegalArgumentException(
          "language is " + page.language() + " but must be one of " + Texts.LANGUAGES);
    }
    parameters.put("texts", inLanguage);
    StringOutput output = new StringOutput();
    engine.render(template + ".jte", parameters, output);
    return output.toString();
  }
}
