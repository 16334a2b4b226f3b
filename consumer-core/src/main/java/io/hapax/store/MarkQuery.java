package io.hapax.store;

import io.hapax.mark.Mark;
import java.util.Optional;

/**
 * Selects the open or dead marks to list.
 *
 * @param scope the scope
 * @param kind which kind of mark
 * @param limit the size of a page, 1 to {@value #MAX_LIMIT}
 * @param after the last mark of the previous page; empty for the first page
 */
public record MarkQuery(String scope, Kind kind, int limit, Optional<Mark> after) {

  /** The largest page. */
  public static final int MAX_LIMIT = 1000;

  /** The kinds of marks that can be listed. */
  public enum Kind {
    /** PROCESSING with an expired lease: the owner vanished and no other one has claimed it. */
    STALE,
    /** PROCESSING with a lease that is alive: an owner handles the message at the moment. */
    LEASED,
    /** PROCESSING or RETRY, and it is unknown whether an earlier attempt took effect. */
    IN_DOUBT,
    /** Dead-lettered. */
    DEAD
  }

  /**
   * Checks the rules above.
   *
   * @param scope the scope
   * @param kind the kind
   * @param limit the size of a page
   * @param after the last mark of the previous page
   */
  public MarkQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is " + limit + " but must be 1 to " + MAX_LIMIT);
    }
  }

  /**
   * {@return the query for the first page}
   *
   * @param scope the scope
   * @param kind which kind of mark
   * @param limit the size of a page
   */
  public static MarkQuery first(String scope, Kind kind, int limit) {
    return new MarkQuery(scope, kind, limit, Optional.empty());
  }

  /**
   * {@return the query for the page after this one}
   *
   * @param last the last mark of this page
   */
  public MarkQuery next(Mark last) {
    return new MarkQuery(scope, kind, limit, Optional.of(last));
  }
}
