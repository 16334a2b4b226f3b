package io.hapax.internal.run;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many messages of open lanes are claimed ahead of their turn, so that a crash leaves no
 * more claims behind. A submission whose turn has come in one of its lanes is claimed at once: a
 * lane that hangs must not hold back another one. The claims of any other submission wait while
 * they would exceed the limit, in the order of submission.
 */
final class ClaimLimiter {

  /** Orders the claims of one submission. Any thread may call; a repeated call does nothing. */
  final class Ticket {
    private final int size;
    private @Nullable Runnable claim;
    private boolean turn;
    private boolean claimed;
    private boolean over;

    private Ticket(int size) {
      this.size = size;
    }

    /**
     * Claims now, or when earlier submissions have their outcomes. The call neither throws nor
     * waits for the store.
     */
    void claim(Runnable call) {
      run(add(this, call));
      claimWhatFits();
    }

    /** Claims now: all messages before these have passed in one of their lanes. */
    void turnHasCome() {
      run(takeAtTurn(this));
    }

    /** Makes room for others: all messages have their outcomes. */
    void over() {
      end(this);
      claimWhatFits();
    }
  }

  private final Queue<Ticket> queue = new ArrayDeque<>();
  private final int limit;

  /** How many messages the claimed submissions have that are not over. */
  private int unfinished;

  ClaimLimiter(int limit) {
    this.limit = limit;
  }

  /** Returns a ticket for the claims of one submission, before these are queued. */
  Ticket ticket(int size) {
    return new Ticket(size);
  }

  private static void run(@Nullable Runnable call) {
    if (call != null) {
      call.run();
    }
  }

  private synchronized @Nullable Runnable add(Ticket ticket, Runnable call) {
    ticket.claim = call;
    if (ticket.over) { // its messages were given up before they were claimed
      return null;
    }
    if (ticket.turn) {
      return take(ticket);
    }
    queue.add(ticket);
    return null;
  }

  private synchronized @Nullable Runnable takeAtTurn(Ticket ticket) {
    ticket.turn = true;
    return queue.remove(ticket) ? take(ticket) : null;
  }

  private void claimWhatFits() {
    for (Runnable next = takeNext(); next != null; next = takeNext()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable takeNext() {
    Ticket head = queue.peek();
    return head == null || unfinished + head.size > limit ? null : take(queue.remove());
  }

  private @Nullable Runnable take(Ticket ticket) {
    ticket.claimed = true;
    unfinished += ticket.size;
    return ticket.claim;
  }

  private synchronized void end(Ticket ticket) {
    ticket.over = true;
    if (ticket.claimed) {
      unfinished -= ticket.size;
      ticket.claimed = false;
    } else {
      queue.remove(ticket);
    }
  }
}
