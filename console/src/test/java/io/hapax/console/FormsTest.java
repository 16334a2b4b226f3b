package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.http.Response;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which forms the console takes, and that it executes only what a dry run has shown. */
class FormsTest extends ConsoleFixture {

  @BeforeEach
  void lose() {
    Marks.claimed(store, "lost", Duration.ofNanos(1));
  }

  private MarkState state() {
    return Marks.of(store, "lost").state();
  }

  @Test
  void a_form_of_another_site_is_refused() {
    for (String origin : List.of("https://evil.example", "null", "http://localhost:1", "?")) {
      String csrf = visitor.csrf();
      Response answer = visitor
          .with("origin", origin)
          .post("/actions/reopen", "id", "lost", "step", "plan", "csrf", csrf);
      assertThat(answer.status()).as(origin).isEqualTo(403);
    }
    Response own = Visitor.signedIn(console)
        .with("origin", "http://localhost:8090")
        .form("/actions/reopen", "id", "lost", "step", "plan");
    assertThat(own.status()).isEqualTo(200);
  }

  @Test
  void a_console_within_the_application_moves_neither_the_group_nor_the_generation()
      throws IOException {
    console = open(ConsoleSettings.mounted("/console").allowingWrites(log));
    visitor = Visitor.within(console, "/console");

    assertThat(Visitor.text(visitor.get("/replay"))).doesNotContain("actions/generation");
    String csrf = Visitor.csrf(visitor.get("/id?id=lost"));
    for (String action : List.of("generation", "replay")) {
      Response answer =
          visitor.post("/actions/" + action, "expected", "0", "step", "plan", "csrf", csrf);
      assertThat(answer.status()).as(action).isEqualTo(404);
    }
  }

  @Test
  void a_form_without_its_token_is_refused() {
    String foreign = Visitor.signedIn(console).csrf();
    for (String token : List.of("", "guessed", foreign)) {
      Response answer = visitor.post("/actions/done", "id", "lost", "step", "plan", "csrf", token);
      assertThat(answer.status()).isEqualTo(403);
    }
    assertThat(log).isEmptyFile();
  }

  @Test
  void nothing_is_executed_without_its_own_dry_run() {
    Visitor another = Visitor.signedIn(console);
    String plan = Visitor.plan(visitor.form("/actions/done", "id", "lost", "step", "plan"));

    assertThat(visitor.form("/actions/done", "id", "lost", "step", "execute").status())
        .isEqualTo(400);
    assertThat(
            visitor.form("/actions/done", "step", "execute", "plan", "guessed").status())
        .isEqualTo(400);
    assertThat(another.form("/actions/done", "step", "execute", "plan", plan).status())
        .as("it is another session's")
        .isEqualTo(400);
    assertThat(visitor.form("/actions/reopen", "step", "execute", "plan", plan).status())
        .as("it is another action's")
        .isEqualTo(400);
    assertThat(visitor.form("/actions/done", "id", "lost").status()).isEqualTo(400);
    assertThat(state()).isEqualTo(MarkState.PROCESSING);

    assertThat(visitor.form("/actions/done", "step", "execute", "plan", plan).status())
        .isEqualTo(200);
    assertThat(state()).isEqualTo(MarkState.DONE);
    assertThat(visitor.form("/actions/done", "step", "execute", "plan", plan).status())
        .as("it was executed")
        .isEqualTo(400);
  }

  @Test
  void a_dry_run_can_be_left_and_is_recorded_like_what_follows_it() {
    Response dryRun = visitor.planned("done", "id", "lost", "back", "/id?id=lost");
    assertThat(Visitor.text(dryRun))
        .contains("lost would be marked as done", "href=\"/id?id=lost\">Cancel");
    assertThat(state()).isEqualTo(MarkState.PROCESSING);

    visitor.confirmed("done", dryRun);
    assertThat(Visitor.text(visitor.get("/consumers")).replaceAll("<[^>]*>|\\s+", " "))
        .containsPattern("Mark as done +lost +yes")
        .containsPattern("Mark as done +lost +no");
  }

  @Test
  void a_mark_that_an_owner_holds_is_changed_by_force_only() {
    Marks.claimed(store, "held", Duration.ofMinutes(10));
    assertThat(Visitor.text(visitor.get("/id?id=held"))).contains("name=\"force\"");

    assertThat(Visitor.text(visitor.planned("done", "id", "held")))
        .contains("Refused: nothing was changed")
        .doesNotContain("name=\"plan\"");
    visitor.execute("done", "id", "held", "force", "on");
    assertThat(Marks.of(store, "held").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void the_generation_is_moved_after_a_dry_run() {
    Response dryRun = visitor.planned("generation", "expected", "0");
    assertThat(Visitor.text(dryRun)).contains("billing would be moved to generation 1");
    assertThat(Visitor.text(visitor.get("/replay")))
        .contains("The generation is 0.", "name=\"expected\" value=\"0\"");

    visitor.confirmed("generation", dryRun);
    assertThat(Visitor.text(visitor.get("/replay"))).contains("The generation is 1.");
  }

  @Test
  void each_form_redirects_to_a_page_that_can_be_loaded_again() {
    String csrf = visitor.csrf();
    String page = visitor
        .post("/actions/done", "id", "lost", "step", "plan", "csrf", csrf)
        .header("Location")
        .orElseThrow();
    String plan = Visitor.plan(visitor.get(page));

    Response executed =
        visitor.post("/actions/done", "step", "execute", "plan", plan, "csrf", csrf);
    assertThat(executed.header("Location")).contains(page);
    assertThat(executed.status()).isEqualTo(303);
    for (int i = 0; i < 2; i++) {
      assertThat(Visitor.text(visitor.get(page)))
          .contains("lost was marked as done")
          .doesNotContain("name=\"plan\"");
    }
    Response refused = visitor.post("/actions/done", "id", "none", "step", "plan", "csrf", csrf);
    assertThat(refused.header("Location")).get().asString().startsWith("/plans/");
    assertThat(visitor.get("/plans/guessed").status()).isEqualTo(404);
    assertThat(Visitor.signedIn(console).get(page).status()).as("another user").isEqualTo(404);
  }

  @Test
  void a_button_after_the_end_of_the_session_leads_back_to_its_dry_run() {
    String page = visitor
        .post("/actions/done", "id", "lost", "step", "plan", "csrf", visitor.csrf())
        .header("Location")
        .orElseThrow();
    String csrf = visitor.csrf();
    String plan = Visitor.plan(visitor.get(page));
    assertThat(visitor.form("/signout").status()).isEqualTo(303);

    Response pressed = visitor
        .with("referer", "http://localhost:8090" + page)
        .post("/actions/done", "step", "execute", "plan", plan, "csrf", csrf);
    assertThat(pressed.header("Location"))
        .contains("/signin?pressed=yes&next=" + page.replace("/", "%2F"));
    assertThat(Visitor.text(visitor.get(pressed.header("Location").orElseThrow())))
        .contains("nothing was done");
    assertThat(state()).isEqualTo(MarkState.PROCESSING);

    Visitor again = Visitor.signedIn(console);
    assertThat(Visitor.text(again.get(page))).contains(plan);
    assertThat(state()).isEqualTo(MarkState.PROCESSING);
    assertThat(again.form("/actions/done", "step", "execute", "plan", plan).status())
        .isEqualTo(200);
    assertThat(state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_mark_that_is_settled_while_it_is_planned_is_not_reopened() throws Exception {
    Claim late = Marks.claimed(store, "slow", Duration.ofNanos(1));
    visitor = visitorOf(afterFirst(
        "find",
        List.of(MessageKey.of(Marks.CONSUMER, "slow")),
        () -> store.settle(List.of(new Settlement(late, Verdict.Done.WITHOUT_RESULT)))));
    Response answer = visitor.execute("reopen", "id", "slow");

    assertThat(Visitor.text(answer)).contains("its mark has changed since the dry run");
    assertThat(Marks.of(store, "slow").state()).isEqualTo(MarkState.DONE);
  }

  /** The store, in which something happens after its first answer to a question about a message. */
  private DedupStore afterFirst(String verb, Object about, Runnable event) {
    AtomicBoolean happened = new AtomicBoolean();
    return (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(), new Class<?>[] {DedupStore.class}, (self, it, args) -> {
          Object answer = it.invoke(store, args);
          if (it.getName().equals(verb)
              && about.equals(args[0])
              && happened.compareAndSet(false, true)) {
            event.run();
          }
          return answer;
        });
  }

  private Visitor visitorOf(DedupStore observed) throws IOException {
    return Visitor.signedIn(Console.open(
        ConsoleSettings.standalone(Visitor.TOKEN).allowingWrites(log),
        Deployment.of(Marks.CONSUMER, observed)));
  }

  @Test
  void the_ids_of_rows_name_their_messages_after_a_browser_has_sent_them() {
    List<String> ids = List.of("a\nb", "a\r\nb", "c", "c ", "\tc", "d\u0000");
    for (String id : ids) {
      Bytes bytes = Bytes.utf8(id);
      String sent = MessageNames.of(bytes).replaceAll("\r\n|\r|\n", "\r\n").strip();
      Marks.claimed(store, id, Duration.ofNanos(1));
      assertThat(new MarkOperations(store, Marks.CONSUMER).find(sent))
          .get()
          .satisfies(mark -> assertThat(mark.key().id()).isEqualTo(bytes));
    }
  }

  @Test
  void a_forgotten_message_stays_done_without_its_result() throws Exception {
    Claim claim = Marks.claimed(store, "charged", Duration.ofMinutes(1));
    store.settle(List.of(new Settlement(claim, new Verdict.Done(Bytes.utf8("Jane Doe")))));
    assertThat(Visitor.text(visitor.get("/id?id=charged"))).contains("actions/forget");

    Response answer = visitor.execute("forget", "id", "charged");

    assertThat(Visitor.text(answer)).contains("charged was forgotten: the result is erased");
    assertThat(Marks.of(store, "charged").state()).isEqualTo(MarkState.DONE);
    assertThat(Marks.of(store, "charged").detail()).isEqualTo(Bytes.EMPTY);
    assertThat(Visitor.text(visitor.get("/id?id=charged"))).doesNotContain("actions/forget");
    assertThat(Files.readString(log)).contains("\"action\":\"forget\",\"id\":\"charged\"");
  }

  @Test
  void an_id_that_names_two_messages_is_refused() {
    Marks.claimed(store, "0x61", Duration.ofNanos(1));
    Marks.claimed(store, "a", Duration.ofNanos(1));

    assertThat(Visitor.text(visitor.form("/actions/done", "id", "0x61", "step", "plan")))
        .contains("0x61 names two messages: one with this text, one with these bytes");
  }

  @Test
  void a_read_only_console_plans_and_executes_nothing() throws Exception {
    visitor = Visitor.signedIn(open(ConsoleSettings.standalone(Visitor.TOKEN)));
    for (String action :
        List.of("reopen", "done", "forget", "redeliver", "redrive", "replay", "generation")) {
      assertThat(
              visitor.form("/actions/" + action, "id", "lost", "step", "plan").status())
          .as(action)
          .isEqualTo(403);
    }
    assertThat(state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void the_pages_of_a_read_only_console_have_no_form_that_changes_anything() throws Exception {
    OrderTopics topics = new OrderTopics(Marks.CONSUMER);
    topics.deadLetter(topics.publish("lost"), "no price");
    visitor = Visitor.signedIn(
        Console.open(ConsoleSettings.standalone(Visitor.TOKEN), topics.deployment(store)));
    for (String address : List.of("/id?id=lost", "/doubt", "/deadletters", "/replay")) {
      assertThat(Visitor.text(visitor.get(address)))
          .contains("read-only")
          .doesNotContainPattern("action=\"/actions/(?!audit)");
    }
  }

  @Test
  void a_get_changes_nothing() {
    assertThat(visitor.get("/actions/done?id=lost&step=plan").status()).isEqualTo(404);
    for (String method : List.of("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH")) {
      assertThat(visitor.ask(method, "/", Map.of()).status()).as(method).isEqualTo(405);
    }
    assertThat(state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void an_action_that_cannot_be_logged_is_not_executed() throws Exception {
    String plan = Visitor.plan(visitor.form("/actions/done", "id", "lost", "step", "plan"));
    String csrf = visitor.csrf();
    replaceLogByFolder();

    assertThat(visitor
            .post("/actions/done", "step", "execute", "plan", plan, "csrf", csrf)
            .status())
        .isEqualTo(500);
    assertThat(state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void an_action_whose_end_cannot_be_logged_is_executed_all_the_same() throws Exception {
    visitor = visitorOf(
        afterFirst("resolve", MessageKey.of(Marks.CONSUMER, "lost"), this::replaceLogByFolder));
    Response answer = visitor.execute("done", "id", "lost");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(Visitor.text(answer)).contains("lost was marked as done");
    assertThat(state()).isEqualTo(MarkState.DONE);
    assertThat(log).as("it cannot be written").isDirectory();
  }

  private void replaceLogByFolder() {
    try {
      Files.delete(log);
      Files.createDirectory(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
