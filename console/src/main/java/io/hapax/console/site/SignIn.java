package io.hapax.console.site;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.security.Identity;
import io.hapax.console.security.Secrets;
import io.hapax.console.security.Sessions;
import io.hapax.console.view.SignInView;
import io.hapax.console.view.View;
import java.util.Optional;

/** Signs users in with the token. */
final class SignIn {

  private static final String COOKIE = "hapax-session";
  private static final String BEARER = "Bearer ";

  private final String token;
  private final Sessions sessions;
  private final boolean writes;
  private final String attributes;

  SignIn(String token, Sessions sessions, boolean writes, String base, boolean secure) {
    this.token = token;
    this.sessions = sessions;
    this.writes = writes;
    this.attributes =
        "; Path=" + base + "/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
  }

  Optional<Identity> identify(Request request) {
    return request
        .cookie(COOKIE)
        .filter(sessions::isOpen)
        .map(session -> new Identity("token from " + request.remote(), session, writes));
  }

  /** Returns whether a program sent the token in the header {@code Authorization}. */
  boolean isBearer(Request request) {
    String sent = request.header("authorization").orElse("");
    boolean bearer = sent.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return bearer && Secrets.equal(token, sent.substring(BEARER.length()).strip());
  }

  Response page(Visit visit) {
    return visit.html(
        View.NOW,
        "signin",
        new SignInView(false, Visit.own(visit.request().query("next").orElse("/"))));
  }

  Response enter(Visit visit) {
    Request request = visit.request();
    String next = Visit.own(request.form("next").orElse("/"));
    if (!Secrets.equal(token, request.form("token").orElse("").strip())) {
      Response again = visit.html(View.NOW, "signin", new SignInView(true, next));
      return new Response(403, again.headers(), again.body(), again.events());
    }
    return visit.redirect(next).with("Set-Cookie", COOKIE + "=" + sessions.open() + attributes);
  }

  Response leave(Visit visit) {
    visit.request().cookie(COOKIE).ifPresent(sessions::close);
    return visit.redirect("/signin").with("Set-Cookie", COOKIE + "=; Max-Age=0" + attributes);
  }
}
