package io.hapax.console.site;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.page.Links;
import io.hapax.console.page.Pages;
import io.hapax.console.page.Texts;
import io.hapax.console.security.CsrfTokens;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ErrorView;
import io.hapax.console.view.NowView;
import io.hapax.console.view.Page;
import io.hapax.console.view.View;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * A request with its user, and the means to render its response.
 *
 * @param path the path below the base; begins with a slash
 * @param identity the user; empty before the sign-in
 */
public record Visit(
    Request request, String path, Optional<SignedInUser> identity, Surroundings surroundings) {

  static final String LANGUAGE_COOKIE = "hapax-lang";

  private static final String HTML = "text/html";

  /** The part that is the same for all requests. */
  public record Surroundings(
      String base,
      List<View> views,
      String consumer,
      boolean signsIn,
      String version,
      Pages pages,
      CsrfTokens csrf,
      Supplier<NowView> now) {}

  private Page page(View active, Optional<NowView> now) {
    return new Page(
        language(),
        surroundings.base(),
        address(),
        surroundings.views(),
        active,
        surroundings.consumer(),
        identity.map(SignedInUser::name).orElse(""),
        identity.map(SignedInUser::mayWrite).orElse(false),
        surroundings.signsIn() && identity.isPresent(),
        identity.map(it -> surroundings.csrf().of(it.session())).orElse(""),
        surroundings.version(),
        active == View.ID ? request.query("id").orElse("") : "",
        now);
  }

  /** Returns the address of this page without the language; that of the first page for a form. */
  String address() {
    if (!request.reads()) {
      return "/";
    }
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (Map.Entry<String, List<String>> parameter : request.query().entrySet()) {
      if (!parameter.getKey().equals("lang")) {
        parameter
            .getValue()
            .forEach(
                value -> query.add(Links.encoded(parameter.getKey()) + "=" + Links.encoded(value)));
      }
    }
    return encodedPath(path) + query;
  }

  private static String encodedPath(String path) {
    return Links.encoded(path).replace("%2F", "/");
  }

  private String language() {
    String chosen = request.cookie(LANGUAGE_COOKIE).orElse("");
    if (Texts.LANGUAGES.contains(chosen)) {
      return chosen;
    }
    for (String wanted : request.header("accept-language").orElse("").split(",", -1)) {
      String tag = wanted.strip().toLowerCase(Locale.ROOT);
      for (String language : Texts.LANGUAGES) {
        if (tag.equals(language)
            || tag.startsWith(language + "-")
            || tag.startsWith(language + ";")) {
          return language;
        }
      }
    }
    return Texts.LANGUAGES.get(0);
  }

  Response html(View active, String template, Object view) {
    return html(200, active, template, view);
  }

  Response html(int status, View active, String template, Object view) {
    Optional<NowView> now = identity.map(it -> surroundings.now().get());
    return Response.text(
        status, HTML, surroundings.pages().render(template, page(active, now), view));
  }

  String fragment(View active, String template, Object view) {
    return surroundings.pages().render(template, page(active, Optional.empty()), view);
  }

  Response error(int status, String key, Text detail) {
    return html(status, View.NOW, "error", new ErrorView(status, key, detail));
  }

  /** Redirects within the console. */
  Response redirect(String address) {
    return Response.redirect(surroundings.base() + Links.own(address));
  }
}
