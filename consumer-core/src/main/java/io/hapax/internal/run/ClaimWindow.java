package io.hapax.internal.run;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims no more messages at once than there are workers. If the process dies, each claim that it
 * has not settled is in doubt, whether its handler had started or not. Messages whose turn comes
 * during a claim call are claimed by the next call.
 */
public final class ClaimWindow<M> {

  private final Lanes<M> lanes;
  private final Queue<Rest> waiting = new ArrayDeque<>();
  private final Set<InFlightMessage<M>> claimed = new HashSet<>();
  private final int size;
  private boolean claiming;

  public ClaimWindow(int size, Lanes<M> lanes) {
    this.size = size;
    this.lanes = lanes;
  }

  public void run(List<InFlightMessage<M>> messages) {
    Lanes.group(messages).forEach(together -> new Rest(together).append());
    claimMore();
  }

  /** Lets another message be claimed in place of this one, which is in doubt already. */
  private void makeRoomFor(InFlightMessage<M> message) {
    synchronized (this) {
      if (!claimed.remove(message)) {
        return;
      }
    }
    claimMore();
  }

  /**
   * Skips messages that can own no claim or that wait for another message of their id: they take no
   * room.
   */
  private void claimNext(Rest rest) {
    while (!rest.isEmpty() && finishedWithoutStop(rest.peek())) {
      rest.next++; // in a loop: of one id there may be thousands in a row
    }
    if (rest.isEmpty()) {
      rest.pass();
    } else if (lanes.ids().heldBy(rest.peek())) {
      synchronized (this) {
        waiting.add(rest);
      }
    } else {
      rest.take(1);
      run(rest).openOnceAnswered();
    }
  }

  private static boolean finishedWithoutStop(InFlightMessage<?> message) {
    return !message.unfinished() && message.stop().isEmpty();
  }

  private Lane<M> run(Rest rest) {
    List<InFlightMessage<M>> taken = rest.taken();
    AtomicInteger open = new AtomicInteger(taken.size());
    for (InFlightMessage<M> message : taken) {
      Runnable over = () -> finished(rest, message, open.decrementAndGet() == 0);
      if (!message.whenFinished(over)) {
        over.run();
      }
    }
    return lanes.lane(new OpenLane(true), taken, () -> {}, this::makeRoomFor);
  }

  private void finished(Rest rest, InFlightMessage<M> message, boolean last) {
    if (last && !rest.stopsAtFirst(rest.from, rest.next, InFlightMessage::stop)) {
      claimNext(rest);
    }
    synchronized (this) {
      claimed.remove(message);
    }
    claimMore();
  }

  /** One at a time: the next may go once it is answered or has failed for now. */
  private void claimMore() {
    List<Rest> due = next();
    if (!due.isEmpty()) {
      List<InFlightMessage<M>> messages =
          due.stream().flatMap(rest -> rest.taken().stream()).toList();
      lanes.tasks().guarded(messages, () -> claim(due, messages)).run();
    }
  }

  private void claim(List<Rest> due, List<InFlightMessage<M>> messages) {
    try {
      List<Lane<M>> opened = due.stream().map(this::run).toList();
      lanes.claims().claim(messages, () -> {
        opened.forEach(Lane::openOnceAnswered);
        goOn();
      });
    } catch (RuntimeException e) {
      goOn();
      throw e;
    }
  }

  private void goOn() {
    synchronized (this) {
      claiming = false;
    }
    claimMore();
  }

  private synchronized List<Rest> next() {
    List<Rest> due = new ArrayList<>();
    while (!claiming && claimed.size() < size && !waiting.isEmpty()) {
      int share = Math.max(1, (size - claimed.size()) / waiting.size());
      Rest rest = waiting.remove();
      rest.take(lanes.takesMany() ? share : 1);
      claimed.addAll(rest.taken());
      due.add(rest);
    }
    claiming |= !due.isEmpty();
    return due;
  }

  /**
   * What is left of a lane of a submission when no more is claimed than there are workers. It goes
   * on once its turn in its lane has come.
   */
  private final class Rest extends OpenLane.Part<M> {

    /** The positions of the first message that was taken last, and of the one behind the last. */
    private int from;

    private int next;

    private boolean begun;

    Rest(List<InFlightMessage<M>> messages) {
      super(messages.get(0).lane(), messages);
    }

    boolean isEmpty() {
      return next == messages.size();
    }

    InFlightMessage<M> peek() {
      return messages.get(next);
    }

    /** Takes the next message, and up to a size those behind it that can own a claim. */
    void take(int most) {
      from = next++;
      while (next - from < most && !isEmpty() && lanes.ids().heldBy(peek())) {
        next++;
      }
    }

    List<InFlightMessage<M>> taken() {
      return messages.subList(from, next);
    }

    @Override
    protected void turn() {
      if (begin()) {
        lanes.tasks().guarded(messages, () -> claimNext(this)).run();
      }
    }

    private synchronized boolean begin() {
      boolean first = !begun && hasTurn();
      begun |= first;
      return first;
    }

    @Override
    protected void over() {
      super.over();
      claimMore();
    }
  }
}
