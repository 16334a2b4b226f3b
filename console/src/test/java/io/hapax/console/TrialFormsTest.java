package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.figures.StoreFigures;
import io.hapax.console.http.Response;
import io.hapax.console.page.Texts;
import io.hapax.console.trial.ScriptedTrial;
import io.hapax.console.trial.TrialAction;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which users may disturb a demo. */
class TrialFormsTest extends ConsoleFixture {

  private final ScriptedTrial trial = new ScriptedTrial();

  @Override
  Console open(ConsoleSettings settings) throws IOException {
    return Console.open(
        settings, deployment(), new StoreFigures(deployment(), InstantSource.system()), trial);
  }

  @Test
  void each_button_begins_its_action_and_is_recorded() throws IOException {
    String page = Visitor.text(visitor.get("/trial"));
    for (TrialAction action : TrialAction.values()) {
      assertThat(page).contains("name=\"action\" value=\"" + action + "\"");
      assertThat(visitor.form("/trial", "action", action.name()).header("Location"))
          .contains("/trial");
      String line = "\"action\":\"trial\",\"id\":\"" + action + "\",\"dryRun\":false,\"result\":";
      assertThat(Files.readString(log))
          .contains(line + "\"begins\"", line + "\"began " + action + "\"");
    }

    assertThat(trial.begun()).containsExactly(TrialAction.values());
    assertThat(Visitor.text(visitor.get("/consumers"))).contains("Break it", "STOP_STORE");
  }

  @Test
  void five_lines_explain_the_plain_loop() {
    String loop = Texts.of("en").get("trial.loop-code");

    assertThat(loop).hasLineCount(5).contains("shop.book(order)");
    assertThat(Visitor.text(visitor.get("/trial"))).contains(loop, "the loop books them again");
  }

  @Test
  void the_printed_address_signs_in() {
    visitor = new Visitor(console);
    Response entered = visitor.get("/signin?token=" + Visitor.TOKEN);

    assertThat(entered.status()).isEqualTo(303);
    assertThat(entered.header("Location")).contains("/trial");
    assertThat(visitor.get("/trial").status()).isEqualTo(200);
    Visitor stranger = new Visitor(console);
    assertThat(stranger.get("/signin?token=guessed").status()).isEqualTo(403);
    assertThat(stranger.get("/trial").status()).isEqualTo(303);
  }

  @Test
  void no_address_signs_in_to_a_console_without_a_demo() throws IOException {
    visitor = new Visitor(Console.open(ConsoleSettings.standalone(Visitor.TOKEN), deployment()));

    assertThat(visitor.get("/signin?token=" + Visitor.TOKEN).status()).isEqualTo(200);
    assertThat(visitor.get("/now").status()).isEqualTo(303);
  }

  @Test
  void a_script_gets_the_state_and_the_reason_of_a_refusal_instead_of_a_page() {
    visitor.with("hx-request", "true");
    String csrf = visitor.csrf();
    Response begun = visitor.post("/trial", "action", "KILL", "csrf", csrf);
    assertThat(begun.status()).isEqualTo(200);
    assertThat(Visitor.text(begun)).contains("lane-HAPAX").doesNotContain("<html", "outcome");

    trial.stopStore();
    Response refused = visitor.post("/trial", "action", "STOP_STORE", "csrf", csrf);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(Visitor.text(refused))
        .contains("the store is stopped &lt;script", "lane-HAPAX")
        .doesNotContain("<html");
  }

  @Test
  void nothing_begins_without_sign_in_token_or_role() throws IOException {
    assertThat(new Visitor(console).get("/trial").status()).isEqualTo(303);
    assertThat(new Visitor(console).get("/trial/events").status()).isEqualTo(401);
    assertThat(new Visitor(console).post("/trial", "action", "KILL").status()).isEqualTo(303);
    assertThat(visitor.post("/trial", "action", "KILL").status()).isEqualTo(403);
    assertThat(visitor.post("/trial", "action", "KILL", "csrf", "guessed").status())
        .isEqualTo(403);
    assertThat(Visitor.signedIn(console)
            .with("origin", "https://evil.example")
            .post("/trial", "action", "KILL", "csrf", visitor.csrf())
            .status())
        .isEqualTo(403);
    Visitor reader = Visitor.signedIn(open(ConsoleSettings.standalone(Visitor.TOKEN)));
    assertThat(Visitor.text(reader.get("/trial")))
        .contains("You have read access only.")
        .doesNotContain("name=\"action\"");
    assertThat(reader.form("/trial", "action", "KILL").status()).isEqualTo(403);

    assertThat(trial.begun()).isEmpty();
    assertThat(log).isEmptyFile();
  }

  @Test
  void an_unknown_action_and_another_method_are_refused() {
    for (String unknown : new String[] {"", "kill", "KILL ALL", "<script>"}) {
      assertThat(visitor.form("/trial", "action", unknown).status()).as(unknown).isEqualTo(400);
    }
    assertThat(visitor.get("/trial?action=KILL").status()).isEqualTo(200);
    assertThat(visitor.ask("HEAD", "/trial/events", Map.of()).status()).isEqualTo(405);
    assertThat(trial.begun()).isEmpty();
  }

  @Test
  void an_action_that_cannot_be_logged_does_not_begin() throws IOException {
    String csrf = visitor.csrf();
    Files.delete(log);
    Files.createDirectory(log);

    assertThat(visitor.post("/trial", "action", "KILL", "csrf", csrf).status()).isEqualTo(500);
    assertThat(trial.begun()).isEmpty();
  }

  @Test
  void a_console_without_a_demo_has_no_such_address() throws IOException {
    visitor = Visitor.signedIn(
        Console.open(ConsoleSettings.standalone(Visitor.TOKEN).allowingWrites(log), deployment()));
    assertThat(visitor.get("/trial").status()).isEqualTo(404);
    assertThat(visitor.get("/trial/events").status()).isEqualTo(404);
    assertThat(visitor.form("/trial", "action", "KILL").status()).isEqualTo(404);
  }
}
