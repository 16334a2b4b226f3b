package io.hapax.operations.redrive;

import static io.hapax.operations.internal.ReportText.line;
import static io.hapax.operations.internal.ReportText.sample;

import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts the results of a redrive; of a dry run, the results that it would have.
 *
 * @param consumer the consumer's name
 * @param executed false for a dry run
 * @param records how many records were read, selected or not
 * @param published see {@link RedriveResult.Published}
 * @param unmarked how many have no mark in the store; they are published if
 *     {@link RedriveSettings#acceptUnmarked} says so, else refused
 * @param notDead see {@link RedriveResult.NotDead}
 * @param refused see {@link RedriveResult.Refused}
 * @param oldest the age of the oldest selected record; empty if none has a time
 * @param missing the selected ids for which there is no record
 * @param ranges the offsets of the dead-letter topic that were read
 * @param samples some records of each kind
 */
public record RedriveReport(
    String consumer,
    boolean executed,
    long records,
    long published,
    long unmarked,
    long notDead,
    long refused,
    Optional<Duration> oldest,
    List<String> missing,
    List<ScannedRange> ranges,
    List<RedriveSample> samples) {

  /**
   * Refuses counts that do not add up.
   *
   * @param consumer the consumer
   * @param executed false for a dry run
   * @param records at least the sum of the three below
   * @param published not negative
   * @param unmarked at most {@code published} and {@code refused} together
   * @param notDead not negative
   * @param refused not negative
   * @param oldest an age
   * @param missing ids
   * @param ranges the offsets that were read
   * @param samples some of each kind
   */
  public RedriveReport {
    if (published + notDead + refused > records || unmarked > published + refused) {
      throw new IllegalArgumentException("the records do not add up: " + records + " read, "
          + published + " published, " + notDead + " not dead, " + refused + " refused, of these "
          + unmarked + " without a mark");
    }
    missing = List.copyOf(missing);
    ranges = List.copyOf(ranges);
    samples = List.copyOf(samples);
  }

  /**
   * {@return whether every selected message runs, ran, or would run if the redrive were executed:
   * no record is refused and none is missing}
   */
  public boolean complete() {
    return refused == 0 && missing.isEmpty();
  }

  /** {@return the report for people: lines, each with its line end} */
  public Text toText() {
    String done = executed ? "redrive.published" : "redrive.to-publish";
    List<Text> lines = new ArrayList<>(List.of(
        line("redrive.records", records),
        line(done, published),
        line("redrive.not-dead", notDead, Text.of("redrive.not-dead.hint")),
        line("redrive.refused", refused),
        unmarked == 0
            ? line("redrive.unmarked", unmarked)
            : line("redrive.unmarked", unmarked, Text.of("redrive.unmarked.hint")),
        line("redrive.missing", missing.size())));
    oldest.ifPresent(it -> lines.add(Text.of("redrive.oldest", it)));
    samples.forEach(sample -> lines.add(describe(sample)));
    missing.forEach(id -> lines.add(Text.of("redrive.no-record", id)));
    return Text.lines(lines);
  }

  private Text describe(RedriveSample sample) {
    String what = executed ? "sample.published" : "sample.to-publish";
    if (sample.answer() instanceof NotDead) {
      what = "sample.not-dead";
    } else if (sample.answer() instanceof Refused) {
      what = "sample.refused";
    }
    List<Text> more = new ArrayList<>();
    sample.age().ifPresent(age -> more.add(Text.of("sample.age", age)));
    add(more, "sample.detail", sample.record().death());
    add(more, "sample.why", sample.answer().why());
    return sample(Text.of(what), sample.record().name(), sample.record().coordinates(), more);
  }

  private static void add(List<Text> more, String key, Text value) {
    if (!value.isEmpty()) {
      more.add(Text.of(key, value));
    }
  }
}
