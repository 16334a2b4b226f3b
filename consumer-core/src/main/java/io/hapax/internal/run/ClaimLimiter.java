package io.hapax.internal.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;

/**
 * Bounds how many messages of open lanes are claimed ahead of their turn, so that a crash leaves no
 * more claims behind. A submission whose turn has come in one of its lanes is claimed at once: a
 * lane that hangs must not hold back another one. The claims of any other submission wait while
 * they would exceed the limit, in the order of submission.
 */
public final class ClaimLimiter {

  /** Orders the claims of one submission. Any thread may call; a repeated call does nothing. */
  final class Ticket {

    private final int size;
    private Runnable claim = () -> {};
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
      update(() -> {
        claim = call;
        queue.add(this);
      });
    }

    /** Claims now: all messages before these have passed in one of their lanes. */
    void turnHasCome() {
      update(() -> turn = true);
    }

    /** Makes room for others: all messages have their outcomes. */
    void over() {
      update(() -> {
        over = true;
        unfinished -= claimed ? size : 0;
        claimed = false;
      });
    }
  }

  private final Queue<Ticket> queue = new ArrayDeque<>();
  private final int limit;

  /** How many messages the claimed submissions have that are not over. */
  private int unfinished;

  public ClaimLimiter(int limit) {
    this.limit = limit;
  }

  /** Returns a ticket for the claims of one submission, before these are queued. */
  Ticket ticket(int size) {
    return new Ticket(size);
  }

  private void update(Runnable change) {
    due(change).forEach(Runnable::run);
  }

  private synchronized List<Runnable> due(Runnable change) {
    change.run();
    List<Runnable> due = new ArrayList<>(1);
    boolean fits = true;
    for (Iterator<Ticket> tickets = queue.iterator(); tickets.hasNext(); ) {
      Ticket next = tickets.next();
      if (next.over) { // its messages were given up before they were claimed
        tickets.remove();
        continue;
      }
      fits &= unfinished + next.size <= limit;
      if (fits || next.turn) {
        tickets.remove();
        next.claimed = true;
        unfinished += next.size;
        due.add(next.claim);
      }
    }
    return due;
  }
}
