package io.hapax.console.view;

import io.hapax.operations.audit.AuditReport.FrequentId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The view of duplicates and their ages.
 *
 * @param messages the number of messages that were read
 * @param duplicates the number of duplicates among them
 * @param ratio the share of duplicates, 0 to 1
 * @param window the dedup window: the retention of DONE marks
 * @param ages the histogram of the ages, youngest first; empty if unknown
 * @param frequent the most frequent ids of the latest audit; empty without an audit
 * @param source the source of the data: meters, audit or none
 */
public record DuplicatesView(
    OptionalLong messages,
    OptionalLong duplicates,
    OptionalDouble ratio,
    Duration window,
    List<Bucket> ages,
    List<FrequentId> frequent,
    String source) {

  /**
   * A bucket of the histogram.
   *
   * @param upTo the upper bound of the age
   * @param count the number of duplicates
   * @param outside whether it is beyond the dedup window
   */
  public record Bucket(Duration upTo, long count, boolean outside) {}
}
