package io.hapax.audit;

import java.util.List;
import java.util.Locale;

/**
 * What an audit found. The counts add up, and a report whose counts do not is refused:
 *
 * <ul>
 *   <li>{@code messages = missingIds + conflicts + duplicates + (ids.distinct - ids.conflicting)}
 *   <li>{@code ids.distinct = ids.done + ids.inFlight + ids.stale + ids.retry + ids.dead +
 *       ids.unknown + ids.conflicting}
 *   <li>{@code wouldRunAgain() = ids.stale + ids.retry + ids.unknown}
 * </ul>
 *
 * @param consumer whose marks were looked at
 * @param messages how many messages were read
 * @param missingIds those without a usable id, or that could not be read at all
 * @param conflicts those whose payload is another one than that which their id stands for; see
 *     {@link Finding#CONFLICT}
 * @param duplicates those that come after another of the same id and payload
 * @param ids the ids
 * @param ranges what was read
 * @param samples some messages of each {@link Finding} but {@link Finding#DONE}
 */
public record AuditReport(
    String consumer,
    long messages,
    long missingIds,
    long conflicts,
    long duplicates,
    Ids ids,
    List<ScannedRange> ranges,
    List<AuditSample> samples) {

  /**
   * How many different ids were found in which state. Each is counted once, at its first message
   * with the payload that it stands for.
   *
   * @param distinct all of them
   * @param done see {@link Finding#DONE}
   * @param inFlight see {@link Finding#IN_FLIGHT}
   * @param stale see {@link Finding#STALE}
   * @param retry see {@link Finding#RETRY}
   * @param dead see {@link Finding#DEAD}
   * @param unknown see {@link Finding#UNKNOWN}
   * @param conflicting those of which every message that was read conflicts with the mark
   * @param inDoubt how many of the stale ones and those to be retried may have taken effect
   *     already, so that running them repeats it unless the handler, or the receiver's
   *     {@link io.hapax.UnknownOutcomePolicy}, sees to it
   */
  public record Ids(
      long distinct,
      long done,
      long inFlight,
      long stale,
      long retry,
      long dead,
      long unknown,
      long conflicting,
      long inDoubt) {

    /**
     * Refuses counts that do not add up.
     *
     * @param distinct the sum of those up to {@code conflicting}
     * @param done not negative
     * @param inFlight not negative
     * @param stale not negative
     * @param retry not negative
     * @param dead not negative
     * @param unknown not negative
     * @param conflicting not negative
     * @param inDoubt at most {@code stale} and {@code retry}
     */
    public Ids {
      long sum = done + inFlight + stale + retry + dead + unknown + conflicting;
      if (distinct != sum || inDoubt > stale + retry) {
        throw new IllegalArgumentException("the ids do not add up: " + distinct + " distinct, "
            + sum + " by state, " + inDoubt + " of " + (stale + retry) + " in doubt");
      }
    }
  }

  /**
   * Refuses counts that do not add up.
   *
   * @param consumer the consumer
   * @param messages the sum of all messages
   * @param missingIds not negative
   * @param conflicts not negative
   * @param duplicates not negative
   * @param ids the ids
   * @param ranges what was read
   * @param samples some messages
   */
  public AuditReport {
    long sum = missingIds + conflicts + duplicates + ids.distinct() - ids.conflicting();
    if (messages != sum) {
      throw new IllegalArgumentException(
          "the messages do not add up: " + messages + " read, " + sum + " by kind");
    }
    ranges = List.copyOf(ranges);
    samples = List.copyOf(samples);
  }

  /**
   * How many ids a receiver of that name would hand to a handler if what was read were replayed
   * now. Each counts once, however many messages it has. It is judged by the rules by which a claim
   * is answered. The receiver's own policies stand aside: the limits of attempts and of age and the
   * stale policy can only keep some of them from running.
   *
   * @return the stale ones, those to be retried and the unknown ones
   */
  public long wouldRunAgain() {
    return ids.stale() + ids.retry() + ids.unknown();
  }

  /**
   * Whether all is settled: nothing would run, and nothing is running.
   *
   * @return true if neither {@link #wouldRunAgain()} nor {@link Ids#inFlight()} counts anything
   */
  public boolean settled() {
    return wouldRunAgain() == 0 && ids.inFlight() == 0;
  }

  /**
   * The report for a person.
   *
   * @return lines, each ended
   */
  public String toText() {
    StringBuilder text = new StringBuilder();
    line(text, "messages", messages, "");
    line(text, "  distinct ids", ids.distinct(), "");
    line(text, "    done", ids.done(), "");
    line(text, "    in flight", ids.inFlight(), "claimed, the lease is alive");
    line(text, "    stale", ids.stale(), "claimed, the lease is over");
    line(text, "    to be retried", ids.retry(), "");
    line(text, "    dead", ids.dead(), "dead-lettered");
    line(text, "    unknown", ids.unknown(), "never ran, or its mark is gone");
    line(text, "    in conflict", ids.conflicting(), "only with another payload than the mark's");
    line(text, "  duplicates", duplicates, "of an id that came before");
    line(text, "  conflicts", conflicts, "another payload under a known id; never run");
    line(text, "  without an id", missingIds, "never run");
    line(text, "WOULD RUN AGAIN", wouldRunAgain(), inDoubt());
    for (AuditSample sample : samples) {
      text.append(sampleLine(sample));
    }
    return text.toString();
  }

  private String inDoubt() {
    return ids.inDoubt() == 0 ? "" : ids.inDoubt() + " of them may have taken effect already";
  }

  private static String sampleLine(AuditSample sample) {
    String kind = sample.finding().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String id = sample.id().isEmpty() ? "" : " " + sample.id();
    String detail = sample.detail().isEmpty() ? "" : " (" + sample.detail() + ")";
    return "  " + kind + ":" + id + " at " + sample.coordinates() + detail + "\n";
  }

  private static void line(StringBuilder text, String name, long count, String remark) {
    String line = String.format(Locale.ROOT, "%-20s %,12d  %s", name, count, remark);
    text.append(line.stripTrailing()).append('\n');
  }
}
