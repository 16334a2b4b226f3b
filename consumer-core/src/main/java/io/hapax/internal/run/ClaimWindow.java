package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.Engine;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
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
 * Claims no more messages at once than there are workers, because each claim that its owner does
 * not live to settle is in doubt, whether its handler had started or not. Whatever has become free
 * while the previous claim was under way is claimed with the next one.
 */
public final class ClaimWindow<M> {

  /** What is left of a lane of a submission. */
  private record Rest<M>(Deque<InFlightMessage<M>> items, Step<M> step) {}

  /** The next messages of a lane. */
  private record Part<M>(Rest<M> rest, List<InFlightMessage<M>> items) {}

  private final Engine<M> engine;
  private final Queue<Rest<M>> waiting = new ArrayDeque<>();
  private final Set<InFlightMessage<M>> claimed = new HashSet<>();
  private final int size;
  private final Runnable claimMoreOnce = this::claimMoreOnce;
  private boolean claiming;

  public ClaimWindow(Engine<M> engine, int size) {
    this.engine = engine;
    this.size = size;
  }

  public void run(List<InFlightMessage<M>> items, Step<M> step) {
    for (List<InFlightMessage<M>> lane : EagerClaim.lanes(items)) {
      goOn(new Rest<>(new ArrayDeque<>(lane), step));
    }
    claimMore();
  }

  /** Lets another message be claimed in place of this one, which is in doubt already. */
  void makeRoomFor(InFlightMessage<M> item) {
    synchronized (this) {
      if (!claimed.remove(item)) {
        return;
      }
    }
    claimMore();
  }

  /** What can own no claim, or waits for another of its id, takes no room. */
  private void goOn(Rest<M> rest) {
    while (!rest.items().isEmpty() && finishedWithoutStop(rest.items().peek())) {
      rest.items().remove(); // in a loop: of one id there may be thousands in a row
    }
    if (rest.items().isEmpty()) {
      return;
    }
    if (engine.running().heldBy(rest.items().peek())) {
      synchronized (this) {
        waiting.add(rest);
      }
    } else {
      run(new Part<>(rest, List.of(rest.items().remove()))).openOnceAnswered();
    }
  }

  private static boolean finishedWithoutStop(InFlightMessage<?> item) {
    return !item.unfinished() && item.stop().isEmpty();
  }

  private Lane<M> run(Part<M> part) {
    AtomicInteger open = new AtomicInteger(part.items().size());
    for (InFlightMessage<M> item : part.items()) {
      Runnable over = () -> finished(part, item, open.decrementAndGet() == 0);
      if (!item.whenFinished(over)) {
        over.run();
      }
    }
    return new Lane<>(engine, part.items(), part.rest().step());
  }

  private void finished(Part<M> part, InFlightMessage<M> item, boolean last) {
    if (last) {
      Optional<Deferred> stop =
          part.items().stream().flatMap(it -> it.stop().stream()).findFirst();
      if (stop.isPresent()) {
        engine
            .outcomes()
            .giveUp(part.rest().items(), Deferrals.behind(stop.get().after()));
      } else {
        goOn(part.rest());
      }
    }
    synchronized (this) {
      claimed.remove(item);
    }
    claimMore();
  }

  /** One at a time: the next may go once it is answered, has failed for now, or waits. */
  private void claimMore() {
    engine.tasks().untilItSucceeds(claimMoreOnce);
  }

  private void claimMoreOnce() {
    List<Part<M>> parts = next();
    if (parts.isEmpty()) {
      return;
    }
    boolean handedOver = false;
    try {
      List<InFlightMessage<M>> items =
          parts.stream().flatMap(part -> part.items().stream()).toList();
      engine.threads().call(engine.tasks().guarded(items, () -> claim(parts, items)));
      handedOver = true;
    } finally {
      if (!handedOver) {
        putBack(parts);
      }
    }
  }

  private synchronized void putBack(List<Part<M>> parts) {
    claiming = false;
    for (Part<M> part : parts) {
      for (int i = part.items().size() - 1; i >= 0; i--) {
        claimed.remove(part.items().get(i));
        part.rest().items().addFirst(part.items().get(i));
      }
      waiting.add(part.rest());
    }
  }

  private void claim(Collection<Part<M>> parts, List<InFlightMessage<M>> items) {
    try {
      List<Lane<M>> lanes = parts.stream().map(this::run).toList();
      engine.claimer().claim(items, () -> lanes.forEach(Lane::openOnceAnswered));
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
      Rest<M> rest = waiting.remove();
      List<InFlightMessage<M>> items = new ArrayList<>();
      do {
        items.add(rest.items().remove());
      } while (rest.step().takesMany()
          && items.size() < share
          && !rest.items().isEmpty()
          && engine.running().heldBy(rest.items().peek()));
      claimed.addAll(items);
      parts.add(new Part<>(rest, items));
    }
    claiming |= !parts.isEmpty();
    return parts;
  }
}
