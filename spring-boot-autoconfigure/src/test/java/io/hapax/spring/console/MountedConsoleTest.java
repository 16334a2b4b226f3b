package io.hapax.spring.console;

import static io.hapax.spring.console.MountedConsole.PATH;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.MarkState;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console below the base path of the Actuator, in a real servlet container. */
class MountedConsoleTest {

  private static final String LOG = "/var/log/{consumer}.jsonl";

  private static final String NOW = PATH + "/billing/";
  private static final String OPERATOR = "ann operator";
  private static final String READER = "bob";
  private static final Pattern ASSET = Pattern.compile("\"([^\"]+/assets/[^\"]+)\"");

  @TempDir
  private Path folder;

  private final List<MountedConsole> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(MountedConsole::close);
  }

  private MountedConsole start(String... properties) {
    MountedConsole console = MountedConsole.start(properties);
    started.add(console);
    return console;
  }

  private MountedConsole startWritable(String... more) {
    List<String> properties = new ArrayList<>(MountedConsole.writable(folder));
    properties.addAll(List.of(more));
    return start(properties.toArray(String[]::new));
  }

  @Test
  void an_only_consumer_is_shown_at_once() throws Exception {
    MountedConsole console = start();
    HttpResponse<String> root = console.get(PATH, READER);
    assertThat(root.statusCode()).isEqualTo(303);
    assertThat(root.headers().firstValue("Location")).hasValue(NOW);

    HttpResponse<String> page = console.get(NOW, READER);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("billing", "bob");
    assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
    Matcher asset = ASSET.matcher(page.body());
    assertThat(asset.find()).isTrue();
    assertThat(console.get(asset.group(1), READER).statusCode()).isEqualTo(200);
  }

  @Test
  void several_consumers_are_listed() throws Exception {
    MountedConsole console = start();
    console.listenAs("a<b>");

    assertThat(console.get(PATH + "/", READER).body())
        .contains("href=\"" + NOW + "\"", "a&lt;b&gt;", "/a%3Cb%3E/");
    assertThat(console.get(PATH + "/a%3Cb%3E/doubt", READER).statusCode()).isEqualTo(200);
    assertThat(console.get(PATH + "/shipping/", READER).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--hapax.console.enabled=false",
        "--hapax.console.enabled=off",
        "--management.endpoints.web.exposure.include=health",
        "--management.endpoint.hapaxconsole.access=none"
      })
  void without_being_enabled_and_exposed_it_does_not_exist(String property) throws Exception {
    MountedConsole console = start(property);
    assertThat(console.get(PATH, OPERATOR).statusCode()).isEqualTo(404);
    assertThat(console.get(NOW, OPERATOR).statusCode()).isEqualTo(404);
  }

  @Test
  void without_any_authentication_it_is_read_only() throws Exception {
    MountedConsole console = startWritable("--shop.secured=false");
    console.kill("broken");
    assertThat(console.get(NOW, "").statusCode()).isEqualTo(200);
    assertThat(console.get(NOW + "id?id=broken", "").body())
        .contains("DEAD")
        .doesNotContain("/actions/");

    String token = console.token("broken", "anonymous operator");
    assertThat(console.plan("reopen", "broken", "", token).statusCode()).isEqualTo(403);
  }

  @Test
  void writes_are_off_by_default() throws Exception {
    assertReadOnly(start("--hapax.console.role=operator"));
  }

  @Test
  void the_access_of_the_endpoint_limits_the_role() throws Exception {
    assertReadOnly(startWritable("--management.endpoints.access.max-permitted=read-only"));
  }

  private static void assertReadOnly(MountedConsole console) throws Exception {
    console.kill("broken");
    assertThat(console.get(NOW + "id?id=broken", OPERATOR).body())
        .contains("DEAD")
        .doesNotContain("/actions/");
    assertThat(console.plan("reopen", "broken", OPERATOR, "guessed").statusCode())
        .isEqualTo(403);
  }

  @Test
  void a_user_with_the_role_repairs_a_message_after_a_dry_run() throws Exception {
    MountedConsole console = startWritable();
    console.kill("broken");

    HttpResponse<String> planned =
        console.plan("reopen", "broken", OPERATOR, console.token("broken", OPERATOR));
    assertThat(planned.statusCode()).as(planned.body()).isEqualTo(200);
    assertThat(console.state("broken")).isEqualTo(MarkState.DEAD);
    var unused = console.execute("reopen", planned, OPERATOR);

    assertThat(console.state("broken")).isEqualTo(MarkState.RETRY);
    assertThat(Files.readString(folder.resolve("actions-billing.jsonl")))
        .contains("\"who\":\"ann\"", "\"id\":\"broken\"");
  }

  @Test
  void the_generation_of_a_running_consumer_is_not_moved() throws Exception {
    MountedConsole console = startWritable();
    console.kill("broken");
    HttpResponse<String> planned = console.post(
        NOW + "actions/generation",
        OPERATOR,
        "step=plan&expected=0&csrf=" + console.token("broken", OPERATOR));
    assertThat(planned.statusCode()).isEqualTo(404);
  }

  @Test
  void a_form_needs_the_token_of_its_user() throws Exception {
    MountedConsole console = startWritable();
    console.kill("broken");
    String form = "step=plan&id=broken";
    assertThat(console.post(NOW + "actions/reopen", OPERATOR, form).statusCode())
        .isEqualTo(403);
    assertThat(console.post(NOW + "actions/reopen?csrf=x", OPERATOR, form).statusCode())
        .isEqualTo(403);
    HttpResponse<String> planned =
        console.plan("reopen", "broken", OPERATOR, console.token("broken", OPERATOR));
    assertThat(console.execute("reopen", planned, "eve operator").statusCode()).isEqualTo(403);
    assertThat(console.state("broken")).isEqualTo(MarkState.DEAD);
  }

  @Test
  @Timeout(60)
  void figures_are_streamed_until_the_application_ends() throws Exception {
    MountedConsole console = start();
    HttpResponse<Stream<String>> stream = console.open(NOW + "now/events", READER);
    assertThat(stream.headers().firstValue("Content-Type"))
        .get()
        .asString()
        .contains("event-stream");
    Iterator<String> lines = stream.body().iterator();
    assertThat(lines.next()).isEqualTo("event: state");

    long begin = System.nanoTime();
    console.close();
    lines.forEachRemaining(line -> {});
    assertThat(System.nanoTime() - begin).isLessThan(SECONDS.toNanos(20));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//actuator/hapaxconsole/billing/",
        "/actuator//hapaxconsole/billing/",
        "/actuator/./hapaxconsole/billing/",
        "/public/../actuator/hapaxconsole/billing/",
        "/actuator/hapaxconsole/./billing/",
      })
  void another_spelling_of_its_path_which_a_rule_may_not_match_leads_nowhere(String path)
      throws Exception {
    MountedConsole console = start("--shop.secured=false");
    assertThat(console.get(path, "").statusCode()).isEqualTo(404);
    assertThat(console.get("/%61ctuator/hapaxconsole/billing/", "").statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_malformed_address_is_refused() throws Exception {
    MountedConsole console = start();
    assertThat(console.raw(NOW + "id?id=%zz")).contains(" 400 ");
  }

  @Test
  void open_pages_of_all_consumers_leave_threads_to_the_application() throws Exception {
    MountedConsole console = start();
    console.listenAs("shipping");
    for (int i = 0; i < 12; i++) {
      for (String consumer : List.of("billing", "shipping")) {
        String path = PATH + "/" + consumer + "/now/events";
        assertThat(console.open(path, READER).statusCode()).isEqualTo(200);
      }
    }
    assertThat(console.open(NOW + "now/events", READER).statusCode()).isEqualTo(503);
    assertThat(console.get(NOW, READER).statusCode()).isEqualTo(200);
  }

  @Test
  void it_moves_with_the_port_and_the_path_of_the_actuator() throws Exception {
    MountedConsole console = start(
        "--management.server.port=0",
        "--management.endpoints.web.base-path=/operations",
        "--management.endpoints.web.path-mapping.hapaxconsole=messages",
        "--shop.secured=false");
    HttpResponse<String> page = console.get("/operations/messages/billing/", "");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("\"/operations/messages/billing/assets/");
  }

  @ParameterizedTest
  @CsvSource({"server.servlet.context-path=/shop, /shop", "spring.mvc.servlet.path=/api, /api"})
  void links_have_the_paths_of_the_application_and_of_the_servlet_of_spring_mvc(
      String property, String path) throws Exception {
    MountedConsole console = start("--" + property);
    assertThat(console.get(path + NOW, READER).body()).contains("\"" + path + NOW + "assets/");
  }

  @Test
  void writes_need_a_role_and_a_log() {
    assertRefused(null, LOG, "hapax.console.role is null but must be set");
    assertRefused(" ", LOG, "hapax.console.role is   but must be set");
    assertRefused("operator", null, "hapax.console.action-log is not set but must be set");
    assertThat(new ConsoleProperties(true, true, "operator", LOG).actionLog()).isEqualTo(LOG);
    assertThat(new ConsoleProperties(true, false, null, null).allowWrites()).isFalse();
  }

  @Test
  void consumers_have_a_log_each() {
    assertRefused("operator", "/var/log/x", "is /var/log/x but must contain {consumer}");
  }

  private static void assertRefused(@Nullable String role, @Nullable String log, String message) {
    assertThatThrownBy(() -> new ConsoleProperties(true, true, role, log))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
