package io.hapax.operations.redrive;

import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.topic.ScannedRange;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

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

  /** Control characters, and those that reorder or break the line they are printed in. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

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
   * Returns whether every selected message runs, ran, or would run if the redrive were executed.
   *
   * @return true if no record is refused and none is missing
   */
  public boolean complete() {
    return refused == 0 && missing.isEmpty();
  }

  /**
   * Formats the report for people.
   *
   * @return lines, each with its line end
   */
  public String toText() {
    StringBuilder text = new StringBuilder();
    line(text, "records", records, "");
    line(text, executed ? "  published" : "  to be published", published, "");
    line(text, "  not dead", notDead, "done since, or on their way");
    line(text, "  refused", refused, "");
    line(text, "without a mark", unmarked, unmarked == 0 ? "" : "is it the consumer's store?");
    line(text, "WITHOUT A RECORD", missing.size(), "");
    oldest.ifPresent(
        age -> text.append(String.format(Locale.ROOT, "%-20s %12s\n", "oldest", ageText(age))));
    samples.forEach(sample -> text.append(sampleLine(sample)));
    missing.forEach(id -> text.append(oneLine("  no record: " + id)));
    return text.toString();
  }

  /** Removes line breaks: text from a record must not look like a line of the report. */
  private static String oneLine(String text) {
    return HARMFUL.matcher(text).replaceAll(" ") + '\n';
  }

  private String sampleLine(RedriveSample sample) {
    String what = executed ? "published" : "to be published";
    if (sample.answer() instanceof NotDead) {
      what = "not dead";
    } else if (sample.answer() instanceof Refused) {
      what = "refused";
    }
    String why = sample.answer().why().isEmpty() ? "" : ": " + sample.answer().why();
    String id = sample.id().isEmpty() ? "" : " " + sample.id();
    String death =
        sample.metadata().kind().isEmpty() ? "" : " (" + sample.metadata().toText() + ")";
    String age = sample.age().map(it -> ", " + ageText(it) + " old").orElse("");
    return oneLine("  " + what + ":" + id + " at " + sample.coordinates() + age + death + why);
  }

  private static String ageText(Duration age) {
    long seconds = age.toSeconds();
    if (seconds < 60) {
      return seconds + " s";
    } else if (seconds < 3_600) {
      return seconds / 60 + " min";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }

  private static void line(StringBuilder text, String name, long count, String remark) {
    String line = String.format(Locale.ROOT, "%-20s %,12d  %s", name, count, remark);
    text.append(line.stripTrailing()).append('\n');
  }
}
