package io.hapax.operations.redrive;

import static io.hapax.operations.internal.ReportText.age;
import static io.hapax.operations.internal.ReportText.line;
import static io.hapax.operations.internal.ReportText.sanitize;

import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.topic.ScannedRange;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
  public String toText() {
    StringBuilder text = new StringBuilder(line("records", records, ""))
        .append(line(executed ? "  published" : "  to be published", published, ""))
        .append(line("  not dead", notDead, "done since, or on their way"))
        .append(line("  refused", refused, ""))
        .append(
            line("without a mark", unmarked, unmarked == 0 ? "" : "is it the consumer's store?"))
        .append(line("WITHOUT A RECORD", missing.size(), ""));
    oldest.ifPresent(
        it -> text.append(String.format(Locale.ROOT, "%-20s %12s\n", "oldest", age(it))));
    samples.forEach(sample -> text.append(sanitize(describe(sample))).append('\n'));
    missing.forEach(id -> text.append(sanitize("  no record: " + id)).append('\n'));
    return text.toString();
  }

  private String describe(RedriveSample sample) {
    String what = executed ? "published" : "to be published";
    if (sample.answer() instanceof NotDead) {
      what = "not dead";
    } else if (sample.answer() instanceof Refused) {
      what = "refused";
    }
    String why = sample.answer().why().isEmpty() ? "" : ": " + sample.answer().why();
    String id = sample.record().name().isEmpty() ? "" : " " + sample.record().name();
    String death = sample.record().metadata().kind().isEmpty()
        ? ""
        : " (" + sample.record().metadata().toText() + ")";
    String old = sample.age().map(it -> ", " + age(it) + " old").orElse("");
    return "  " + what + ":" + id + " at " + sample.record().coordinates() + old + death + why;
  }
}
