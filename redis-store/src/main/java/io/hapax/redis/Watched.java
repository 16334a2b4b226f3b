package io.hapax.redis;

import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Sends, and before it gives the replies it looks whether they come from other servers than those
 * of before: what is run because of a claim that forgot is then explained already, whoever has
 * found it out.
 */
final class Watched implements Sender {

  /**
   * Another server, or the same one after a restart, has the marks.
   *
   * @param place which part of them, for people
   * @param evidence how that is known, for people
   */
  record Change(String place, String evidence) {}

  /** Knows what changes about servers. */
  interface Changes {

    /** Whether something may have changed that was not found yet. Quick, on any thread. */
    boolean hasNews();

    /**
     * Looks. What cannot be found out now stays news. One thread at a time.
     *
     * @param found is given each change once, before it is no news any more
     */
    void find(Consumer<Change> found);

    /** Looks no more. */
    default void close() {}
  }

  private final Wire wire;
  private final Changes changes;
  private final Losses losses;
  private final Turn turn;

  /** What was found stays here until it has been told, whatever comes between. */
  private final Queue<Change> found = new ConcurrentLinkedQueue<>();

  /**
   * Watches from now on.
   *
   * @param wire sends
   * @param changes what changes about its servers
   * @param losses is told
   * @param patience how long anybody waits for who finds out and tells
   */
  Watched(Wire wire, Changes changes, Losses losses, Duration patience) {
    this.wire = wire;
    this.changes = changes;
    this.losses = losses;
    this.turn = new Turn(patience);
  }

  @Override
  public List<Reply> send(List<Request> requests) {
    List<Reply> replies = wire.send(requests);
    if (changes.hasNews()
        || !found.isEmpty()) { // in this order: news are found before they are none
      turn.take(this::look);
    }
    return replies;
  }

  private void look() {
    try {
      if (changes.hasNews()) { // unless somebody else has looked meanwhile
        changes.find(found::add);
      }
    } finally {
      tell();
    }
  }

  private void tell() {
    for (Change next = found.peek(); next != null; next = found.peek()) {
      losses.tell(new StoreLoss(next.place(), StoreLoss.Extent.LATEST), next.evidence());
      found.remove();
    }
  }

  @Override
  public void close() {
    changes.close();
    wire.close();
  }
}
