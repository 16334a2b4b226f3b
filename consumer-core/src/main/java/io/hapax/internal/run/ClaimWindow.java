package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.claim.Claims;
import io.hapax.internal.message.ActiveSubmission.Position;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims no more messages at once than there are workers. If the process dies, each claim that it
 * has not settled is in doubt, whether its handler had started or not. Messages whose turn comes
 * during a claim call are claimed by the next call.
 */
public final class ClaimWindow<M> {

  /** The next messages of a lane. */
  private record Part<M>(ClaimWindow<M>.Rest rest, List<InFlightMessage<M>> messages) {}

  private final Lanes<M> lanes;
  private final Claims<M> claims;
  private final InFlightIds ids;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;
  private final Queue<Rest> waiting = new ArrayDeque<>();
  private final Set<InFlightMessage<M>> claimed = new HashSet<>();
  private final int size;
  private boolean claiming;

  public ClaimWindow(
      int size,
      Lanes<M> lanes,
      Claims<M> claims,
      InFlightIds ids,
      Outcomes<M> outcomes,
      Tasks<M> tasks) {
    this.size = size;
    this.lanes = lanes;
    this.claims = claims;
    this.ids = ids;
    this.outcomes = outcomes;
    this.tasks = tasks;
  }

  public void run(List<InFlightMessage<M>> messages) {
    Optional<Position> open = Lanes.open(messages);
    for (List<InFlightMessage<M>> together : Lanes.group(messages)) {
      OpenLane lane = open.map(it -> it.lane(Lanes.name(together))).orElseGet(OpenLane::new);
      Rest rest = new Rest(lane, together);
      if (open.isPresent()) {
        together.get(0).submission.whenOver(() -> over(rest));
      }
      lane.append(rest);
    }
    claimMore();
  }

  private void over(Rest rest) {
    rest.end();
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
    while (!rest.messages.isEmpty() && finishedWithoutStop(rest.messages.peek())) {
      rest.messages.remove(); // in a loop: of one id there may be thousands in a row
    }
    if (rest.messages.isEmpty()) {
      rest.pass();
      return;
    }
    if (ids.heldBy(rest.messages.peek())) {
      synchronized (this) {
        waiting.add(rest);
      }
    } else {
      run(new Part<>(rest, List.of(rest.messages.remove()))).openOnceAnswered();
    }
  }

  private static boolean finishedWithoutStop(InFlightMessage<?> message) {
    return !message.unfinished() && message.stop().isEmpty();
  }

  private Lane<M> run(Part<M> part) {
    AtomicInteger open = new AtomicInteger(part.messages().size());
    for (InFlightMessage<M> message : part.messages()) {
      Runnable over = () -> finished(part, message, open.decrementAndGet() == 0);
      if (!message.whenFinished(over)) {
        over.run();
      }
    }
    return lanes.lane(part.messages(), this::makeRoomFor);
  }

  private void finished(Part<M> part, InFlightMessage<M> message, boolean last) {
    if (last) {
      Optional<Deferred> stop =
          part.messages().stream().flatMap(it -> it.stop().stream()).findFirst();
      if (stop.isPresent()) {
        part.rest().stop(Deferrals.behind(stop.get().after()));
      } else {
        claimNext(part.rest());
      }
    }
    synchronized (this) {
      claimed.remove(message);
    }
    claimMore();
  }

  /** One at a time: the next may go once it is answered, has failed for now, or waits. */
  private void claimMore() {
    List<Part<M>> parts = next();
    if (!parts.isEmpty()) {
      List<InFlightMessage<M>> messages =
          parts.stream().flatMap(part -> part.messages().stream()).toList();
      tasks.call(messages, () -> claim(parts, messages));
    }
  }

  private void claim(Collection<Part<M>> parts, List<InFlightMessage<M>> messages) {
    try {
      List<Lane<M>> opened = parts.stream().map(this::run).toList();
      claims.claim(messages, () -> opened.forEach(Lane::openOnceAnswered));
    } finally {
      synchronized (this) {
        claiming = false;
      }
      claimMore();
    }
  }

  private synchronized List<Part<M>> next() {
    List<Part<M>> parts = new ArrayList<>();
    while (!claiming && claimed.size() < size && !waiting.isEmpty()) {
      int share = Math.max(1, (size - claimed.size()) / waiting.size());
      Rest rest = waiting.remove();
      List<InFlightMessage<M>> messages = new ArrayList<>();
      do {
        messages.add(rest.messages.remove());
      } while (lanes.step().takesMany()
          && messages.size() < share
          && !rest.messages.isEmpty()
          && ids.heldBy(rest.messages.peek()));
      claimed.addAll(messages);
      parts.add(new Part<>(rest, messages));
    }
    claiming |= !parts.isEmpty();
    return parts;
  }

  /**
   * What is left of a lane of a submission when no more is claimed than there are workers. It goes
   * on once its turn in its lane has come.
   */
  private final class Rest implements OpenLane.Part {

    private final OpenLane lane;
    private final List<InFlightMessage<M>> all;

    /** The messages that are not claimed. */
    private final Deque<InFlightMessage<M>> messages;

    private boolean begun;

    Rest(OpenLane lane, List<InFlightMessage<M>> all) {
      this.lane = lane;
      this.all = all;
      this.messages = new ArrayDeque<>(all);
    }

    @Override
    public void turn() {
      if (begin()) {
        tasks.guarded(all, () -> claimNext(this)).run();
      }
    }

    private synchronized boolean begin() {
      boolean first = !begun && lane.isTurnOf(this);
      begun |= first;
      return first;
    }

    @Override
    public void giveUp(Deferred because) {
      outcomes.giveUp(all, because);
    }

    /** Gives up the messages that are not claimed, and all parts behind this one. */
    void stop(Deferred because) {
      outcomes.giveUp(messages, because);
      lane.stopped(this, because);
    }

    void pass() {
      lane.passed(this);
    }

    /** Ends it with its submission, also if an exception has ended its work. */
    void end() {
      Optional<Deferred> stop = all.stream().flatMap(it -> it.stop().stream()).findFirst();
      if (stop.isPresent()) {
        lane.stopped(this, Deferrals.behind(stop.get().after()));
      } else if (lane.isTurnOf(this)) {
        pass();
      }
    }
  }
}
