package io.hapax.console.data;

import io.hapax.console.operations.Deployment;
import io.hapax.console.view.DoubtView;
import io.hapax.console.view.MarkRow;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.operations.text.Text;
import io.hapax.store.MarkQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lists open and dead marks by page. Reads a block of marks and sorts it, oldest first. SQL stores
 * already list marks in that order, Redis lists them in the order of its keys.
 */
public final class Marks {

  private static final int PAGE = 100;
  private static final int LONGEST_DETAIL = 4_000;
  private static final int BLOCK = MarkQuery.MAX_LIMIT;

  /** The maximum number of marks that a filter reads. */
  private static final int MOST = 10_000;

  private final Deployment deployment;
  private final MarkOperations operations;
  private final boolean payloads;

  /** Results of handlers are payloads, and shown only with {@code --show-payloads}. */
  public Marks(Deployment deployment, boolean payloads) {
    this.deployment = deployment;
    this.operations = new MarkOperations(deployment.store(), deployment.consumer());
    this.payloads = payloads;
  }

  /**
   * Returns a page of open marks. Kind and position must be known. With a filter it is the first
   * page of those whose id, place or owner contains the filter.
   */
  public DoubtView page(String kind, String filter, Optional<String> after) {
    MarkQuery.Kind asked = kind(kind);
    if (!filter.isEmpty()) {
      List<Mark> all = operations.list(asked, MOST);
      List<Mark> found = matching(all, filter);
      return new DoubtView(
          kind,
          filter,
          page(found, 0),
          found.size(),
          all.size() < MOST,
          Optional.empty(),
          true,
          deployment.canDeadLetter());
    }
    String scope = Generations.scope(deployment.store(), deployment.consumer());
    Cursor cursor = after.map(text -> Cursor.parse(text, scope)).orElse(Cursor.START);
    List<Mark> block = deployment.store().list(new MarkQuery(scope, asked, BLOCK, cursor.last()));
    List<Mark> sorted = new ArrayList<>(block);
    sorted.sort(Comparator.comparing(Mark::claimedAt));
    int from = Math.min(cursor.shown(), sorted.size());
    List<MarkRow> page = page(sorted, from);
    Optional<String> next = next(block, cursor, from + page.size()).map(Cursor::text);
    return new DoubtView(
        kind,
        filter,
        page,
        sorted.size(),
        block.size() < BLOCK,
        next,
        after.isEmpty(),
        deployment.canDeadLetter());
  }

  private List<MarkRow> page(List<Mark> marks, int from) {
    Instant now = operations.now();
    return marks.subList(from, Math.min(from + PAGE, marks.size())).stream()
        .map(mark -> row(mark, now))
        .toList();
  }

  private static List<Mark> matching(List<Mark> marks, String filter) {
    return marks.stream()
        .filter(mark -> MessageNames.of(mark.key().id()).contains(filter)
            || mark.claim().origin().coordinates().contains(filter)
            || mark.claim().origin().owner().contains(filter))
        .sorted(Comparator.comparing(Mark::claimedAt))
        .toList();
  }

  /**
   * {@return the ids of the oldest marks of a list, for one decision about all of them}
   *
   * @throws IllegalArgumentException if they are more than one decision may concern
   */
  public List<String> ids(String kind, String filter) {
    List<Mark> all = operations.list(kind(kind), MOST);
    if (all.size() == MOST) {
      throw Text.of("marks.too-many", MOST).refusal();
    }
    List<Mark> found = matching(all, filter);
    if (found.size() > BLOCK) {
      throw Text.of("marks.filter", found.size(), BLOCK).refusal();
    }
    return found.stream().map(mark -> MessageNames.of(mark.key().id())).toList();
  }

  private static Optional<Cursor> next(List<Mark> block, Cursor cursor, int shown) {
    if (shown < block.size()) {
      return Optional.of(new Cursor(cursor.last(), shown));
    }
    return block.size() < BLOCK
        ? Optional.empty()
        : Optional.of(new Cursor(Optional.of(block.get(block.size() - 1)), 0));
  }

  private static MarkQuery.Kind kind(String name) {
    for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "kind is " + name + " but must be stale, in_doubt or leased");
  }

  /** Returns the first dead marks, at most {@value MarkQuery#MAX_LIMIT}, in the store's order. */
  List<Mark> dead() {
    return operations.list(MarkQuery.Kind.DEAD, BLOCK);
  }

  MarkRow row(Mark mark, Instant now) {
    Duration age = Duration.between(mark.claimedAt(), now);
    return new MarkRow(
        MessageNames.of(mark.key().id()),
        mark.state().name(),
        mark.claim().origin().coordinates(),
        mark.claim().origin().owner(),
        mark.claim().attempt().number(),
        mark.claim().attempt().inDoubt(),
        mark.leasedAt(now),
        mark.claim().token(),
        mark.claimedAt(),
        mark.until(),
        age.isNegative() ? Duration.ZERO : age,
        detail(mark));
  }

  private String detail(Mark mark) {
    boolean shown = mark.state() == MarkState.DEAD || (mark.state() == MarkState.DONE && payloads);
    return shown ? text(mark.detail()) : "";
  }

  static String text(Bytes detail) {
    String text = new String(detail.toByteArray(), StandardCharsets.UTF_8);
    return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL) + "...";
  }

  Instant now() {
    return operations.now();
  }
}
