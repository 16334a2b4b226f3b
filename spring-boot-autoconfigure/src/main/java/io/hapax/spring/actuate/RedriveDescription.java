package io.hapax.spring.actuate;

import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSample;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a redrive, or to a dry run.
 *
 * @param consumer the consumer
 * @param topic the topic that the messages came from
 * @param deadLetters the dead-letter topic
 * @param limit the most offsets that were read of each partition or queue: the newest ones
 * @param cut whether that limit was reached, so that there may be older records
 * @param executed false for a dry run
 * @param records how many records were read, selected or not
 * @param published how many messages are published, or would be
 * @param notDead how many are done since, or on their way
 * @param refused how many were refused; the samples say why
 * @param oldest the age of the oldest selected record, in ISO-8601; null if none has a time
 * @param missing the selected id, if there is no record of it
 * @param samples some records of each kind
 */
public record RedriveDescription(
    String consumer,
    String topic,
    String deadLetters,
    int limit,
    boolean cut,
    boolean executed,
    long records,
    long published,
    long notDead,
    long refused,
    @Nullable String oldest,
    List<String> missing,
    List<Sample> samples) {

  /**
   * A dead-letter record. It has no part of the message but its id.
   *
   * @param id the message id for people; empty if it has none
   * @param coordinates where the record lies
   * @param from where its message came from
   * @param kind why its message was dead-lettered, in one word
   * @param detail why, for people
   * @param answer Published, NotDead or Refused
   * @param why the reason of the answer; may be empty
   */
  public record Sample(
      String id,
      String coordinates,
      String from,
      String kind,
      String detail,
      String answer,
      String why) {

    static Sample of(RedriveSample sample) {
      return new Sample(
          sample.id(),
          sample.coordinates(),
          sample.metadata().coordinates(),
          sample.metadata().kind(),
          sample.metadata().detail(),
          sample.answer().getClass().getSimpleName(),
          sample.answer().why());
    }
  }

  static RedriveDescription of(RedriveReport report, String topic, String letters, int limit) {
    return new RedriveDescription(
        report.consumer(),
        topic,
        letters,
        limit,
        TopicAuditDescription.isCut(report.ranges(), limit),
        report.executed(),
        report.records(),
        report.published(),
        report.notDead(),
        report.refused(),
        report.oldest().map(Duration::toString).orElse(null),
        report.missing(),
        report.samples().stream().map(Sample::of).toList());
  }
}
