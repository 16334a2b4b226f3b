package io.hapax.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lanes that stop at a message until a person acts. Each is named as trouble for as long as the
 * message comes again: twice the pause after which it was to.
 */
final class Stalls {

  private final Map<String, Runnable> alarms = new ConcurrentHashMap<>();
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
    Runnable before = alarms.put(lane, alarm);
    if (before != null) {
      before.run();
    }
  }

  void over(Item<?> item) {
    String lane = item.incoming.lane();
    Runnable alarm = alarms.remove(lane);
    if (alarm != null) {
      alarm.run();
      events.clear(source(lane));
    }
  }

  private static String source(String lane) {
    return "lane " + lane;
  }
}
