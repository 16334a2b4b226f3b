package io.hapax.redis;

import io.hapax.store.StoreLoss;
import java.util.List;

/**
 * Sends, and before it gives the replies it looks whether they come from other servers than those
 * of before: what is run because of a claim that forgot is then explained already.
 *
 * @param wire sends
 * @param changes what has changed about the servers
 * @param losses is told
 */
record Watched(Wire wire, Changes changes, Losses losses) implements Sender {

  /**
   * Another server, or the same one after a restart, has the marks.
   *
   * @param place which part of them, for people
   * @param evidence how that is known, for people
   */
  record Change(String place, String evidence) {}

  /** Knows what changes about servers. */
  interface Changes {

    /** Each change once. */
    List<Change> sinceLastTime();

    /** Looks no more. */
    default void close() {}
  }

  @Override
  public List<Reply> send(List<Request> requests) {
    List<Reply> replies = wire.send(requests);
    changes
        .sinceLastTime()
        .forEach(change ->
            losses.tell(new StoreLoss(change.place(), StoreLoss.Extent.LATEST), change.evidence()));
    return replies;
  }

  @Override
  public void close() {
    changes.close();
    wire.close();
  }
}
