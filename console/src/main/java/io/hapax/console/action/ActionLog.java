package io.hapax.console.action;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hapax.console.security.Secrets;
import io.hapax.console.view.ActionRow;
import io.hapax.operations.lookup.MessageSources.LoggedAction;
import io.hapax.operations.text.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of actions: an append-only file with one JSON object in each line. A line is forced to
 * the disk before the action continues.
 */
public final class ActionLog {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int PAGE = 100;

  /** The maximum number of bytes that one page reads. */
  private static final int READ_BYTES = 256 * 1024;

  private static final int LONGEST = 2_000;

  /** The maximum number of bytes that a look-up of one message reads. */
  private static final int SEARCHED_BYTES = 16 * 1024 * 1024;

  private static final Pattern PUBLISHED = Pattern.compile("(?s)job \\S+ published (.*)");

  private final Path file;

  /** A page of the log. */
  public record Page(List<ActionRow> rows, Optional<String> next) {}

  private ActionLog(Path file) {
    this.file = file;
  }

  /** Opens a log. A missing file is created, readable for its owner only. */
  public static ActionLog at(Path file) throws IOException {
    if (Files.notExists(file)) {
      Secrets.createFile(file);
    }
    if (!Files.isWritable(file)) {
      throw new IOException("the action log " + file + " cannot be written to");
    }
    return new ActionLog(file);
  }

  /** Opens a log for reading; empty if there is no such file. */
  public static Optional<ActionLog> existing(Path file) {
    return Files.isReadable(file) ? Optional.of(new ActionLog(file)) : Optional.empty();
  }

  /** {@return the file} */
  public Path file() {
    return file;
  }

  /**
   * Appends a line, even if the thread is interrupted: an interrupt would close the file. If it
   * could not be written, the action must not be executed.
   */
  public synchronized void append(ActionRow row) throws IOException {
    ObjectNode line = JSON.createObjectNode()
        .put("time", row.at().toString())
        .put("who", row.user())
        .put("action", row.action())
        .put("id", bounded(row.subject().toString()))
        .put("dryRun", row.dryRun())
        .put("result", bounded(row.result().toString()));
    line.set(
        "texts",
        JSON.createArrayNode().add(boundedJson(row.subject())).add(boundedJson(row.result())));
    row.ids().forEach(line.withArray("ids")::add);
    boolean interrupted = Thread.interrupted();
    try {
      write((isTorn() ? "\n" : "") + JSON.writeValueAsString(line) + "\n");
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the last line is incomplete: the next begins a new line. */
  private boolean isTorn() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    }
  }

  private void write(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  /** Reads a page that ends at an offset, or at the end of the file. */
  public Page page(Optional<String> before) throws IOException {
    long end =
        before.filter(it -> it.matches("\\d{1,18}")).map(Long::parseLong).orElse(Long.MAX_VALUE);
    return read(end, READ_BYTES, PAGE, row -> true);
  }

  /** {@return what was done with a message, in the newest 16 MB of the log, oldest first} */
  public List<LoggedAction> about(String id) throws IOException {
    List<LoggedAction> found = new ArrayList<>();
    read(
            Long.MAX_VALUE,
            SEARCHED_BYTES,
            Integer.MAX_VALUE,
            row -> !row.dryRun()
                && (row.subject().toString().equals(id) || row.ids().contains(id)))
        .rows()
        .forEach(row ->
            found.add(0, new LoggedAction(row.at(), row.user(), row.action(), row.result())));
    return found;
  }

  private Page read(long before, int most, int rows, Predicate<ActionRow> wanted)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long end = Math.min(channel.size(), before);
      long from = Math.max(0, end - most);
      ByteBuffer bytes = ByteBuffer.allocate((int) (end - from));
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // reads on
      }
      return page(Arrays.copyOf(bytes.array(), bytes.position()), from, rows, wanted);
    }
  }

  private static Page page(byte[] bytes, long offset, int most, Predicate<ActionRow> wanted) {
    List<ActionRow> rows = new ArrayList<>();
    int end = bytes.length;
    while (end > 0 && rows.size() < most) {
      int start = end - 1;
      while (start > 0 && bytes[start - 1] != '\n') {
        start--;
      }
      if (start == 0 && offset > 0) {
        break; // the line begins before what was read
      }
      row(new String(bytes, start, end - start, StandardCharsets.UTF_8))
          .filter(wanted)
          .ifPresent(rows::add);
      end = start;
    }
    long next = offset + end;
    return new Page(
        rows, next > 0 && !rows.isEmpty() ? Optional.of(Long.toString(next)) : Optional.empty());
  }

  private static Optional<ActionRow> row(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      if (!json.isObject()) {
        return Optional.empty();
      }
      return Optional.of(new ActionRow(
          Instant.parse(json.path("time").asText()),
          json.path("who").asText(),
          json.path("action").asText(),
          text(json.path("id"), json.at("/texts/0")),
          ids(json),
          json.path("dryRun").asBoolean(),
          text(json.path("result"), json.at("/texts/1"))));
    } catch (JsonProcessingException | DateTimeException e) {
      return Optional.empty(); // a line that was cut off
    }
  }

  /** Returns the array of a text, which is empty if the text is cut. */
  private static ArrayNode boundedJson(Text text) {
    return text.toString().length() <= LONGEST ? json(text) : JSON.createArrayNode();
  }

  /** Returns a text as an array: its key, and its values, of which texts are arrays too. */
  private static ArrayNode json(Text text) {
    ArrayNode array = JSON.createArrayNode().add(text.key());
    text.arguments().forEach(it -> {
      if (it instanceof Text value) {
        array.add(json(value));
      } else {
        array.addPOJO(it);
      }
    });
    return array;
  }

  /**
   * Returns a text of a line: that of its array, if it is still the same in English. The line of an
   * earlier version has no array, and a text that was cut has an empty one.
   */
  private static Text text(JsonNode english, JsonNode array) {
    try {
      Text text = text(array);
      if (text.toString().equals(english.asText())) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // the sentence had other values when the line was written
    }
    return Text.plain(english.asText());
  }

  private static Text text(JsonNode array) {
    List<Object> values = new ArrayList<>();
    array.forEach(
        it -> values.add(it.isArray() ? text(it) : it.isNumber() ? it.asLong() : it.asText()));
    return new Text(
        array.path(0).asText(), values.subList(Math.min(1, values.size()), values.size()));
  }

  /** Returns the ids of a line. Lines of earlier versions name what a job has published. */
  private static List<String> ids(JsonNode line) {
    Matcher published = PUBLISHED.matcher(line.path("result").asText());
    if (!line.has("ids") && published.matches()) {
      return List.of(published.group(1).split(", "));
    }
    List<String> ids = new ArrayList<>();
    line.path("ids").forEach(id -> ids.add(id.asText()));
    return ids;
  }
}
