package io.hapax.store;

import io.hapax.mark.Mark;
import java.util.Optional;

/**
 * Which open or dead marks to list.
 *
 * @param scope the scope
 * @param kind which kind of mark
 * @param limit the size of a page, 1 to {@value #MAX_LIMIT}
 * @param after the last mark of the page before; empty for the first page
 */
public record MarkQuery(String scope, Kind kind, int limit, Optional<Mark> after) {

  /** The largest page. */
  public static final int MAX_LIMIT = 1000;

  /** What an operator may ask for. */
  public enum Kind {
    /** PROCESSING, and the lease is over: the owner vanished and the message has not come back. */
    STALE,
    /** PROCESSING, and the lease is alive: an owner is at work. Such a mark may be gone at once. */
    LEASED,
    /** PROCESSING or RETRY, and nobody knows whether an earlier attempt took effect. */
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
   * @param after the last mark before
   */
  public MarkQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is " + limit + " but must be 1 to " + MAX_LIMIT);
    }
  }

  /**
   * The first page.
   *
   * @param scope the scope
   * @param kind which kind of mark
   * @param limit the size of a page
   * @return the query
   */
  public static MarkQuery first(String scope, Kind kind, int limit) {
    return new MarkQuery(scope, kind, limit, Optional.empty());
  }

  /**
   * The page after this one.
   *
   * @param last the last mark of this page
   * @return the query
   */
  public MarkQuery next(Mark last) {
    return new MarkQuery(scope, kind, limit, Optional.of(last));
  }
}
