package io.hapax.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lanes that stop at a message until a person acts. Each is named as trouble for as long as the
 * message comes again: twice the pause after which it was to.
 */
final class Stalls {

  /** By lane: the message that it stops at, and what forgets it when it does not come again. */
  private record Stall(String where, boolean unmarked, Runnable alarm) {}

  private final Map<String, Stall> stalls = new ConcurrentHashMap<>();
  private final Threads threads;
  private final Events events;

  Stalls(Threads threads, Events events) {
    this.threads = threads;
    this.events = events;
  }

  void stands(Item<?> item, String detail, Duration pause) {
    String lane = item.incoming.lane();
    events.raise(source(lane), detail);
    Runnable alarm = threads.alarm(() -> over(item), pause.multipliedBy(2));
    Stall before = stalls.put(lane, new Stall(item.incoming.coordinates(), !item.markable, alarm));
    if (before != null) {
      before.alarm().run();
    }
  }

  /** What had no id, or no fingerprint, may have one now that it comes again. */
  void comeAgain(List<? extends Item<?>> items) {
    if (!stalls.isEmpty()) {
      items.stream().filter(this::isMended).forEach(this::over);
    }
  }

  private boolean isMended(Item<?> item) {
    Stall stall = stalls.get(item.incoming.lane());
    return item.markable
        && stall != null
        && stall.unmarked()
        && stall.where().equals(item.incoming.coordinates());
  }

  void over(Item<?> item) {
    String lane = item.incoming.lane();
    Stall stall = stalls.remove(lane);
    if (stall != null) {
      stall.alarm().run();
      events.clear(source(lane));
    }
  }

  private static String source(String lane) {
    return "lane " + lane;
  }
}
