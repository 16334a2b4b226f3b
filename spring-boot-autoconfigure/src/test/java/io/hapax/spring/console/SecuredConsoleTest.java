package io.hapax.spring.console;

import static io.hapax.spring.console.MountedConsole.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.MarkState;
import io.hapax.spring.LeftOut;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console behind Spring Security with HTTP basic, configured as in the documentation. */
@Timeout(120)
class SecuredConsoleTest {

  private static final String NOW = PATH + "/billing/";
  private static final String OPERATOR = "ann";
  private static final String READER = "bob";

  @TempDir
  private Path folder;

  private final List<MountedConsole> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(MountedConsole::close);
  }

  private MountedConsole start(String... more) {
    List<String> properties = new ArrayList<>(MountedConsole.writable(folder));
    properties.add("--spring.autoconfigure.exclude=" + LeftOut.DATABASE);
    properties.addAll(List.of(more));
    MountedConsole console = MountedConsole.start(List.of(SecuredApplication.class), properties);
    started.add(console);
    console.listenAs("billing");
    console.kill("broken");
    return console;
  }

  @Test
  void an_anonymous_user_gets_401_for_every_page() throws Exception {
    MountedConsole console = start();
    for (String path :
        List.of("", "/", "/billing", "/billing/", "/billing/id?id=broken", "/billing/now/events")) {
      assertThat(console.get(PATH + path, "").statusCode()).as(path).isEqualTo(401);
    }
    assertThat(console.plan("reopen", "broken", "", "guessed").statusCode()).isEqualTo(401);
    assertThat(console.get(PATH + "/", "eve").statusCode()).isEqualTo(401);
  }

  @Test
  void a_reader_sees_the_pages_and_changes_nothing() throws Exception {
    MountedConsole console = start();
    assertThat(console.get(NOW + "id?id=broken", READER).body())
        .contains("DEAD", "bob")
        .doesNotContain("/actions/reopen");

    String token = console.token("broken", OPERATOR);
    assertThat(console.plan("reopen", "broken", READER, token).statusCode()).isEqualTo(403);
    assertThat(console.state("broken")).isEqualTo(MarkState.DEAD);
  }

  @Test
  void an_operator_repairs_a_message_although_spring_security_checks_its_own_tokens_elsewhere()
      throws Exception {
    MountedConsole console = start();
    HttpResponse<String> planned =
        console.plan("reopen", "broken", OPERATOR, console.token("broken", OPERATOR));
    assertThat(planned.statusCode()).as(planned.body()).isEqualTo(200);
    assertThat(console.execute("reopen", planned, OPERATOR).statusCode()).isEqualTo(200);

    assertThat(console.state("broken")).isEqualTo(MarkState.RETRY);
  }

  @Test
  void without_the_exemption_spring_security_refuses_each_form() throws Exception {
    MountedConsole console = start("--shop.csrf-exempt=false");
    HttpResponse<String> refused =
        console.plan("reopen", "broken", OPERATOR, console.token("broken", OPERATOR));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).doesNotContain("This form is too old");
  }

  @Test
  void figures_are_streamed_to_a_reader() throws Exception {
    MountedConsole console = start();
    HttpResponse<Stream<String>> stream = console.open(NOW + "now/events", READER);
    assertThat(stream.statusCode()).isEqualTo(200);
    assertThat(stream.body().iterator().next()).isEqualTo("event: state");
  }
}
