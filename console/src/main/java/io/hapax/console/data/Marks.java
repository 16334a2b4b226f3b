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

  private final Deployment deployment;
  private final MarkOperations operations;
  private final boolean payloads;

  /** Results of handlers are payloads, and shown only with {@code --show-payloads}. */
  public Marks(Deployment deployment, boolean payloads) {
    this.deployment = deployment;
    this.operations = new MarkOperations(deployment.store(), deployment.consumer());
    this.payloads = payloads;
  }

  /** Returns a page of open marks. Kind and position must be known. */
  public DoubtView page(String kind, Optional<String> after) {
    MarkQuery.Kind asked = kind(kind);
    String scope = Generations.scope(deployment.store(), deployment.consumer());
    Cursor cursor = after.map(text -> Cursor.parse(text, scope)).orElse(Cursor.START);
    List<Mark> block = deployment.store().list(new MarkQuery(scope, asked, BLOCK, cursor.last()));
    List<Mark> sorted = new ArrayList<>(block);
    sorted.sort(Comparator.comparing(Mark::claimedAt));
    int from = Math.min(cursor.shown(), sorted.size());
    int to = Math.min(from + PAGE, sorted.size());
    Instant now = operations.now();
    List<MarkRow> page =
        sorted.subList(from, to).stream().map(mark -> row(mark, now)).toList();
    return new DoubtView(
        kind,
        page,
        next(block, cursor, to).map(Cursor::text),
        after.isEmpty(),
        deployment.canDeadLetter());
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
