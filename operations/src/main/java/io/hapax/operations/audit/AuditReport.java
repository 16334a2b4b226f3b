package io.hapax.operations.audit;

import static io.hapax.operations.internal.ReportText.line;
import static io.hapax.operations.internal.ReportText.sample;

import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of an audit. A report whose counts do not add up is refused:
 *
 * <ul>
 *   <li>{@code messages = missingIds + conflicts + duplicates + (ids.distinct - ids.conflicting)}
 *   <li>{@code ids.distinct = ids.done + ids.inFlight + ids.stale + ids.retry + ids.dead +
 *       ids.unknown + ids.conflicting}
 *   <li>{@code wouldRunAgain() = ids.stale + ids.retry + ids.unknown}
 * </ul>
 *
 * @param consumer the consumer's name
 * @param messages how many messages were read
 * @param missingIds the messages without a usable id, and those that could not be read
 * @param conflicts the messages whose payload differs from the one of their id; see
 *     {@link Finding#CONFLICT}
 * @param duplicates the messages that follow another one with the same id and payload
 * @param ids the ids
 * @param ranges the offsets that were read
 * @param samples some messages of each {@link Finding} but {@link Finding#DONE}
 * @param frequent the ids with the most messages, at most ten, each with two messages or more; the
 *     most frequent one first
 * @param otherHeaders the ids whose duplicates have other headers
 */
public record AuditReport(
    String consumer,
    long messages,
    long missingIds,
    long conflicts,
    long duplicates,
    Ids ids,
    List<ScannedRange> ranges,
    List<AuditSample> samples,
    List<FrequentId> frequent,
    OtherHeaders otherHeaders) {

  /**
   * Ids whose messages have the same payload but other headers or properties. If a header
   * distinguishes two messages, one of them counts as a duplicate and never runs: the id or the
   * fingerprint must contain that header.
   *
   * @param ids the number of these ids
   * @param samples some of them, each with the place of a message that differs from the first one
   */
  public record OtherHeaders(long ids, List<Text> samples) {

    /** No such ids. */
    public static final OtherHeaders NONE = new OtherHeaders(0, List.of());

    /**
     * Copies the samples.
     *
     * @param ids not negative
     * @param samples some ids
     */
    public OtherHeaders {
      samples = List.copyOf(samples);
    }
  }

  /**
   * An id with several messages.
   *
   * @param id the id, as {@link io.hapax.mark.Bytes#toString()} prints it
   * @param messages the number of its messages, with duplicates and conflicts
   */
  public record FrequentId(String id, long messages) {}

  /**
   * Counts the distinct ids by state. An id is counted once, at its first message that does not
   * conflict.
   *
   * @param distinct all ids
   * @param done see {@link Finding#DONE}
   * @param inFlight see {@link Finding#IN_FLIGHT}
   * @param stale see {@link Finding#STALE}
   * @param retry see {@link Finding#RETRY}
   * @param dead see {@link Finding#DEAD}
   * @param unknown see {@link Finding#UNKNOWN}
   * @param conflicting the ids of which every message that was read conflicts with the mark
   * @param inDoubt how many of the stale and retry ids may have taken effect already; running their
   *     messages repeats the effect, unless the handler or the receiver's
   *     {@link io.hapax.UnknownOutcomePolicy} prevents it
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
   * @param ranges the offsets that were read
   * @param samples some messages
   * @param frequent the ids with the most messages
   * @param otherHeaders the ids whose duplicates have other headers
   */
  public AuditReport {
    long sum = missingIds + conflicts + duplicates + ids.distinct() - ids.conflicting();
    if (messages != sum) {
      throw new IllegalArgumentException(
          "the messages do not add up: " + messages + " read, " + sum + " by kind");
    }
    ranges = List.copyOf(ranges);
    samples = List.copyOf(samples);
    frequent = List.copyOf(frequent);
  }

  /**
   * {@return the number of ids whose messages would run if the same offsets were replayed now} Each
   * id counts once, however many messages it has. The rules are those by which a store answers a
   * claim. The receiver's own settings are not applied: its limits of attempts and age and its
   * {@link io.hapax.UnknownOutcomePolicy} can only reduce this number.
   */
  public long wouldRunAgain() {
    return ids.stale() + ids.retry() + ids.unknown();
  }

  /** {@return whether no message would run, none is running, and there is no {@link #doubt()}} */
  public boolean settled() {
    return wouldRunAgain() == 0 && ids.inFlight() == 0 && doubt().isEmpty();
  }

  /**
   * {@return whether a consumer that never receives these messages loses none of them: each is done
   * or dead} A message without an id, and one in conflict, is neither. The consumer that receives
   * it does not run it, but dead-letters it, or reports it and waits.
   */
  public boolean skippable() {
    return settled() && missingIds == 0 && conflicts == 0;
  }

  /**
   * {@return why this report says nothing about the consumer, for people: at least nine of ten
   * messages have no id; empty if most have one} Then the consumer probably reads its ids from
   * another place than this audit.
   */
  public Optional<Text> doubt() {
    if (missingIds == 0 || missingIds < messages - messages / 10) {
      return Optional.empty();
    }
    Text first = samples.stream()
        .filter(sample -> sample.finding() == Finding.MISSING_ID)
        .findFirst()
        .map(sample -> Text.of("audit.doubt.first", sample.coordinates(), sample.detail()))
        .orElse(Text.NONE);
    return Optional.of(Text.of("audit.doubt", missingIds, messages, first));
  }

  /** {@return the report for people: lines, each with its line end} */
  public Text toText() {
    List<Text> lines = new ArrayList<>();
    doubt().ifPresent(why -> lines.add(Text.of("audit.doubtful", why)));
    lines.add(line("audit.messages", messages));
    lines.add(line("audit.distinct", ids.distinct()));
    lines.add(line("audit.done", ids.done()));
    lines.add(remarked("audit.in-flight", ids.inFlight()));
    lines.add(remarked("audit.stale", ids.stale()));
    lines.add(line("audit.retry", ids.retry()));
    lines.add(remarked("audit.dead", ids.dead()));
    lines.add(remarked("audit.unknown", ids.unknown()));
    lines.add(remarked("audit.conflicting", ids.conflicting()));
    lines.add(remarked("audit.duplicates", duplicates));
    if (otherHeaders.ids() > 0) {
      lines.add(remarked("audit.other-headers", otherHeaders.ids()));
    }
    lines.add(remarked("audit.conflicts", conflicts));
    lines.add(remarked("audit.missing-ids", missingIds));
    lines.add(
        ids.inDoubt() == 0
            ? line("audit.would-run", wouldRunAgain())
            : line("audit.would-run", wouldRunAgain(), Text.of("audit.in-doubt", ids.inDoubt())));
    samples.forEach(it -> lines.add(describe(it)));
    otherHeaders.samples().forEach(it -> lines.add(Text.of("audit.other-headers.sample", it)));
    return Text.lines(lines);
  }

  private static Text remarked(String name, long count) {
    return line(name, count, Text.of(name + ".hint"));
  }

  private static Text describe(AuditSample it) {
    List<Text> detail =
        it.detail().isEmpty() ? List.of() : List.of(Text.of("sample.detail", it.detail()));
    return sample(Text.of("finding." + it.finding().name()), it.id(), it.coordinates(), detail);
  }
}
