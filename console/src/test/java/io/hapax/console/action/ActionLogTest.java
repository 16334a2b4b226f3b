package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.view.ActionRow;
import io.hapax.operations.text.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of the actions. */
class ActionLogTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir
  private Path folder;

  private ActionLog log;

  @BeforeEach
  void open() throws Exception {
    log = ActionLog.at(folder.resolve("log/actions.jsonl"));
  }

  private static ActionRow row(String subject) {
    return new ActionRow(
        NOW, "ann", "done", Text.plain(subject), List.of(), false, Text.of("log.begins"));
  }

  @Test
  void it_is_appended_to_and_read_from_its_end_page_by_page() throws Exception {
    for (int i = 0; i < 250; i++) {
      log.append(row("order-" + i));
    }
    List<String> subjects = new ArrayList<>();
    Optional<String> before = Optional.empty();
    do {
      ActionLog.Page page = log.page(before);
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(100);
      page.rows().forEach(it -> subjects.add(it.subject().toString()));
      before = page.next();
    } while (before.isPresent());

    assertThat(subjects).hasSize(250).startsWith("order-249", "order-248").endsWith("order-0");
  }

  @Test
  void each_action_is_one_line_whatever_its_text() throws Exception {
    String hostile = "a\"}\n{\"who\":\"root\"\u2028" + "x".repeat(10_000);
    log.append(row(hostile));

    assertThat(Files.readAllLines(log.file())).hasSize(1);
    assertThat(log.page(Optional.empty()).rows().get(0).subject().toString())
        .startsWith("a\"}\n{\"who\":\"root\"")
        .hasSizeLessThan(3_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"time\":\"2026-", "{\"time\":\"2026-\n"})
  void a_line_that_was_cut_off_is_left_out_and_the_next_one_is_kept(String torn) throws Exception {
    log.append(row("a"));
    Files.writeString(log.file(), torn, StandardOpenOption.APPEND);
    log.append(row("b"));

    assertThat(log.page(Optional.empty()).rows())
        .extracting(it -> it.subject().toString())
        .containsExactly("b", "a");
    assertThat(log.page(Optional.of("no-place")).rows()).hasSize(2);
  }

  @Test
  void what_was_done_with_an_id_is_found_beyond_the_newest_page_also_in_older_lines()
      throws Exception {
    String old = "{\"time\":\"%s\",\"who\":\"ann\",\"action\":\"redrive\",\"id\":\"all\","
        + "\"dryRun\":false,\"result\":\"job 1 published a, b\"}\n";
    Files.writeString(log.file(), old.formatted(NOW), StandardOpenOption.APPEND);
    for (int i = 0; i < 250; i++) {
      log.append(row("order-" + i));
    }
    List<String> ids = List.of("a", "x".repeat(10_000));
    log.append(new ActionRow(
        NOW, "ann", "redrive", Text.of("records.all"), ids, false, Text.plain("job 2 ENDED")));
    log.append(new ActionRow(
        NOW, "ann", "redrive", Text.plain("a"), List.of(), true, Text.of("log.planned")));

    assertThat(log.about("a"))
        .extracting(it -> it.result().toString())
        .containsExactly("job 1 published a, b", "job 2 ENDED");
    assertThat(log.about("x".repeat(10_000))).hasSize(1);
    assertThat(log.about("order-7")).hasSize(1);
    assertThat(log.about("c")).isEmpty();
  }

  @Test
  void a_line_is_in_english_and_is_read_in_each_language() throws Exception {
    Text subject = Text.of("messages", 2);
    Text result = Text.of("log.refused", Text.of("mark.busy", Duration.ofSeconds(30)));
    log.append(new ActionRow(NOW, "ann", "done", subject, List.of(), false, result));

    assertThat(Files.readString(log.file()))
        .contains("\"id\":\"2 messages\"", "\"result\":\"refused: an owner holds it");
    assertThat(log.page(Optional.empty()).rows().get(0))
        .returns(subject, ActionRow::subject)
        .returns(result, ActionRow::result);
  }

  @Test
  void a_text_that_is_too_long_hides_no_line() throws Exception {
    log.append(row("a"));
    log.append(row("x".repeat(256 * 1024)));

    assertThat(log.page(Optional.empty()).rows())
        .extracting(it -> it.subject().toString().length())
        .containsExactly(2_003, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"{\"]", "[\"log.changed\",\"1\",\"ENDED\",\"one\"]"})
  void a_line_whose_sentence_has_changed_is_read_in_english(String text) throws Exception {
    String line = "{\"time\":\"%s\",\"who\":\"ann\",\"action\":\"done\",\"id\":\"a\","
        + "\"dryRun\":false,\"result\":\"it was done\",\"texts\":[[\"\",\"a\"],%s],\"ids\":[]}\n";
    Files.writeString(log.file(), line.formatted(NOW, text), StandardOpenOption.APPEND);

    assertThat(log.page(Optional.empty()).rows())
        .extracting(it -> it.result().toString())
        .containsExactly("it was done");
  }

  @Test
  void a_look_up_of_one_message_reads_the_newest_16_megabytes() throws Exception {
    log.append(row("a"));
    Files.writeString(
        log.file(), ("x".repeat(1023) + "\n").repeat(16 * 1024), StandardOpenOption.APPEND);
    assertThat(log.about("a")).isEmpty();
    log.append(row("a"));

    assertThat(log.about("a")).hasSize(1);
  }

  @Test
  void a_line_is_written_although_the_server_stops() throws Exception {
    Thread.currentThread().interrupt();
    log.append(row("a"));

    assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    assertThat(log.page(Optional.empty()).rows()).hasSize(1);
  }

  @Test
  void it_is_readable_for_its_owner_only() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log.file())))
        .isEqualTo("rw-------");
  }
}
