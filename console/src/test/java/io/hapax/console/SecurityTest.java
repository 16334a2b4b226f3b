package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the console lets in, and what it serves. */
class SecurityTest extends ConsoleFixture {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/id?id=lost",
        "/doubt",
        "/deadletters",
        "/duplicates",
        "/conflicts",
        "/replay",
        "/consumers"
      })
  void a_page_is_shown_after_the_sign_in_only(String address) {
    Response stranger = new Visitor(console).get(address);
    assertThat(stranger.status()).isEqualTo(303);
    assertThat(stranger.header("Location")).get().asString().startsWith("/signin?next=");

    assertThat(visitor.get(address).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/json/stale", "/json/generation", "/now/series.json", "/now/events"})
  void data_is_given_after_the_sign_in_only(String address) {
    assertThat(new Visitor(console).get(address).status()).isEqualTo(401);
    assertThat(visitor.get(address).status()).isEqualTo(200);
  }

  @Test
  void a_wrong_token_opens_no_session() {
    visitor = new Visitor(console);
    for (String wrong : List.of("", "wrong", Visitor.TOKEN + "x", Visitor.TOKEN.substring(1))) {
      Response answer = visitor.post("/signin", "token", wrong);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(Visitor.text(answer)).contains("This token is wrong.");
      assertThat(answer.header("Set-Cookie")).isEmpty();
    }
    assertThat(visitor.withCookie("hapax-session", "guessed").get("/").status()).isEqualTo(303);
  }

  @Test
  void the_cookie_is_for_this_site_only_and_hidden_from_scripts() throws Exception {
    Response entered = new Visitor(console).post("/signin", "token", Visitor.TOKEN);
    assertThat(entered.header("Set-Cookie"))
        .get()
        .asString()
        .contains("; HttpOnly", "; SameSite=Strict", "; Path=/")
        .doesNotContain("Secure");

    Console tls = open(ConsoleSettings.standalone(Visitor.TOKEN).overTls());
    assertThat(new Visitor(tls).post("/signin", "token", Visitor.TOKEN).header("Set-Cookie"))
        .get()
        .asString()
        .contains("; Secure");
  }

  @Test
  void a_session_ends_with_the_sign_out() {
    assertThat(visitor.post("/signout").status()).as("without its token").isEqualTo(403);
    assertThat(visitor.get("/").status()).isEqualTo(200);

    String session = visitor.cookie("hapax-session");
    assertThat(visitor.form("/signout").status()).isEqualTo(303);
    assertThat(visitor.get("/").status()).isEqualTo(303);
    assertThat(visitor.withCookie("hapax-session", session).get("/").status())
        .as("the cookie was kept")
        .isEqualTo(303);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "evil.example:8090", "localhost.evil.example", "127.0.0.1.evil", ""
      })
  void a_foreign_host_is_refused(String host) {
    visitor.with("host", host);
    assertThat(visitor.get("/").status()).isEqualTo(403);
    assertThat(visitor.post("/signin", "token", Visitor.TOKEN).status()).isEqualTo(403);
    assertThat(visitor.get("/assets/htmx.min.js").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:8090", "[::1]:8090"})
  void the_loopback_names_are_permitted(String host) {
    assertThat(visitor.with("host", host).get("/").status()).isEqualTo(200);
  }

  @Test
  void a_named_host_is_permitted() throws Exception {
    Console named =
        open(ConsoleSettings.standalone(Visitor.TOKEN).forHosts(Set.of("Console.example")));
    assertThat(
            Visitor.signedIn(named).with("host", "console.example:443").get("/").status())
        .isEqualTo(200);
  }

  @Test
  void every_answer_forbids_foreign_scripts_and_frames() {
    List<Response> answers = List.of(
        visitor.get("/"),
        visitor.get("/no-such-page"),
        visitor.get("/assets/console.css"),
        new Visitor(console).get("/"),
        new Visitor(console).get("/signin"),
        visitor.get("/json/stale"));
    for (Response answer : answers) {
      assertThat(answer.header("Content-Security-Policy"))
          .get()
          .asString()
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
    }
    assertThat(visitor.get("/").header("Cache-Control")).contains("no-store");
    assertThat(visitor.get("/json/stale").header("Cache-Control")).contains("no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/a\r\nSet-Cookie: x=y"
      })
  void the_sign_in_leads_to_no_other_site(String next) {
    Response entered = new Visitor(console).post("/signin", "token", Visitor.TOKEN, "next", next);
    assertThat(entered.header("Location")).contains("/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/assets/../page/texts_en.properties",
        "/assets/..%2Fpage",
        "/assets/",
        "/assets/none.js",
        "/assets/Console.class"
      })
  void no_other_file_is_served(String address) {
    assertThat(new Visitor(console).get(address).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "htmx.min.js",
        "uPlot.iife.min.js",
        "uPlot.min.css",
        "pico.classless.min.css",
        "console.css",
        "console.js"
      })
  void the_files_of_published_packages_are_served(String name) {
    Response answer = new Visitor(console).get("/assets/" + name);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().length()).isGreaterThan(100);
  }

  @Test
  void a_mounted_console_takes_the_caller_from_its_application() throws Exception {
    Console mounted = open(ConsoleSettings.mounted("/console").allowingWrites(log));
    assertThat(mounted(mounted, "/console/", Optional.empty()).status()).isEqualTo(401);
    assertThat(mounted(mounted, "/", caller("ann", true)).status()).isEqualTo(404);
    assertThat(mounted(mounted, "/consolex", caller("ann", true)).status()).isEqualTo(404);
    assertThat(Visitor.text(mounted(mounted, "/console/consumers", caller("ann", true))))
        .contains("ann")
        .contains("/console/assets/console.css");
  }

  private static Optional<Request.Caller> caller(String name, boolean mayWrite) {
    return Optional.of(new Request.Caller(name, mayWrite));
  }

  private static Response mounted(Console console, String path, Optional<Request.Caller> caller) {
    return console.answer(
        new Request("GET", path, Map.of(), Map.of(), Map.of(), "10.0.0.7", caller));
  }

  @Test
  void without_tls_it_listens_on_the_loopback_only() {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    assertThatThrownBy(
            () -> ConsoleServer.start(console, everywhere, Optional.empty()).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--listen is 0.0.0.0:0")
        .hasMessageContaining("--tls-keystore");
  }
}
