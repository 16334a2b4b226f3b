package io.hapax.console.site;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.page.Links;
import io.hapax.console.security.Secrets;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.security.Tickets;
import io.hapax.console.view.SignInView;
import io.hapax.console.view.View;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Signs users in with the token. */
final class SignIn {

  private static final String COOKIE = "hapax-session";
  private static final String BEARER = "Bearer ";
  private static final int MOST_SESSIONS = 100;
  private static final Duration SESSION = Duration.ofHours(12);

  private final String token;
  /** The sessions, with the address that each was opened from. */
  private final Tickets<String> sessions;

  private final boolean writes;
  /** Whether an address may carry the token, as that of a demo on a loopback address. */
  private final boolean byAddress;

  private final String attributes;

  SignIn(String token, InstantSource clock, Sites.Rules rules, boolean byAddress) {
    this.token = token;
    this.byAddress = byAddress;
    this.sessions = new Tickets<>(MOST_SESSIONS, SESSION, clock);
    this.writes = rules.log().isPresent();
    this.attributes = "; Path=" + rules.base() + "/; HttpOnly; SameSite=Strict"
        + (rules.secure() ? "; Secure" : "");
  }

  Optional<SignedInUser> identify(Request request) {
    return request
        .cookie(COOKIE)
        .filter(this::isOpen)
        .map(session -> new SignedInUser("token@" + request.remote(), session, writes));
  }

  boolean isOpen(String session) {
    return sessions.find(session).isPresent();
  }

  /** Returns whether a program sent the token in the header {@code Authorization}. */
  boolean isBearer(Request request) {
    String sent = request.header("authorization").orElse("");
    boolean bearer = sent.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return bearer && Secrets.equal(token, sent.substring(BEARER.length()).strip());
  }

  Response page(Visit visit) {
    Optional<String> sent = visit.request().query("token").filter(it -> byAddress);
    if (sent.isPresent()) {
      return enter(visit, sent.get(), "/" + View.TRIAL.path());
    }
    return visit.html(
        View.NOW,
        "signin",
        new SignInView(
            visit.request().query("pressed").isPresent() ? "pressed" : "",
            Links.own(visit.request().query("next").orElse("/"))));
  }

  Response enter(Visit visit) {
    Request request = visit.request();
    return enter(
        visit, request.form("token").orElse(""), Links.own(request.form("next").orElse("/")));
  }

  private Response enter(Visit visit, String sent, String next) {
    if (!Secrets.equal(token, sent.strip())) {
      return visit.html(403, View.NOW, "signin", new SignInView("failed", next));
    }
    return visit
        .redirect(next)
        .with("Set-Cookie", COOKIE + "=" + sessions.add(visit.request().remote()) + attributes);
  }

  Response leave(Visit visit) {
    visit.request().cookie(COOKIE).ifPresent(sessions::remove);
    return visit.redirect("/signin").with("Set-Cookie", COOKIE + "=; Max-Age=0" + attributes);
  }
}
