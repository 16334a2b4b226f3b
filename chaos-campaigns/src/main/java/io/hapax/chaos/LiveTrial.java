package io.hapax.chaos;

import io.hapax.console.trial.Trial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialState;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Executes the buttons of the view "Break it" on real processes and servers. */
final class LiveTrial implements Trial, AutoCloseable {

  private static final int MANY = 100;
  private static final int IN_FLIGHT = 20;
  private static final int PAID = 5;
  private static final int MEMBERS = 2;
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration OUTAGE = Duration.ofSeconds(8);
  private static final Duration REWIND = Duration.ofSeconds(30);

  private final LiveOrders topic;
  private final LiveShop store;
  private final Payments payments;
  private final Readings readings;
  private final Duration freeze;
  private final Crew crew;
  private final ReentrantLock action = new ReentrantLock();
  private final AtomicBoolean storeRuns = new AtomicBoolean(true);
  private final AtomicBoolean replays = new AtomicBoolean();
  private final Background background = new Background(2);

  private LiveTrial(
      LiveOrders topic,
      LiveShop store,
      Payments payments,
      Readings readings,
      Duration freeze,
      Crew crew) {
    this.topic = topic;
    this.store = store;
    this.payments = payments;
    this.readings = readings;
    this.freeze = freeze;
    this.crew = crew;
  }

  /**
   * Starts the consumers.
   *
   * @param topic the topic
   * @param store the store
   * @param payments the payments
   * @param freeze how long a consumer is frozen: longer than its lease and its session
   * @param leased whether the mode is leased, in which a recovery may repeat an effect
   * @param hapax starts a consumer with Hapax
   * @param naive starts a consumer without Hapax
   * @return the demo; the caller closes it
   */
  static LiveTrial start(
      LiveOrders topic,
      LiveShop store,
      Payments payments,
      Duration freeze,
      boolean leased,
      LiveProcess.Launcher hapax,
      LiveProcess.Launcher naive) {
    LiveTrial trial = new LiveTrial(
        topic,
        store,
        payments,
        new Readings(topic, store, payments, leased),
        freeze,
        new Crew(hapax, MEMBERS, naive));
    trial.background.every(TICK, "the supervision of the consumers", trial.crew::supervise);
    trial.readings.start();
    return trial;
  }

  /** Returns the reports of the consumers with Hapax. */
  LiveCounts counts() {
    return crew.counts();
  }

  /** Returns whether each consumer reads. */
  boolean isComplete() {
    return crew.isComplete();
  }

  @Override
  public Set<TrialAction> actions() {
    return EnumSet.allOf(TrialAction.class);
  }

  @Override
  public TrialState state() {
    return new TrialState(storeRuns.get(), crew.show(), readings.effects(), readings.charges());
  }

  @Override
  public String begin(TrialAction which) throws Exception {
    if (!action.tryLock()) {
      throw new IllegalStateException("another action is beginning: wait some seconds");
    }
    try {
      return switch (which) {
        case PLACE_1 -> place(1);
        case PLACE_100 -> place(MANY);
        case STORM -> storm();
        case KILL -> kill();
        case FREEZE -> freeze();
        case GATEWAY_TIMEOUT -> timeOut();
        case STOP_STORE -> stopStore();
        case REPLAY -> replay();
      };
    } finally {
      action.unlock();
    }
  }

  private String place(int count) throws Exception {
    topic.place(count);
    return "placed " + count + (count == 1 ? " order" : " orders");
  }

  private String storm() throws Exception {
    int published = topic.repeat(MANY);
    if (published == 0) {
      throw new IllegalStateException("no order was placed yet");
    }
    return "published " + published + " orders again";
  }

  private String kill() throws Exception {
    List<Crew.Hit> hits = crew.holdOneOfEach(() -> topic.place(IN_FLIGHT));
    for (Crew.Hit hit : hits) {
      hit.process().kill();
    }
    return "placed " + IN_FLIGHT + " orders and killed " + named(hits);
  }

  private String freeze() throws Exception {
    List<Crew.Hit> hits = crew.freezeOneOfEach(() -> topic.place(IN_FLIGHT), freeze, background);
    return "placed " + IN_FLIGHT + " orders and froze " + named(hits) + " for " + freeze.toSeconds()
        + " s";
  }

  private static String named(List<Crew.Hit> hits) {
    return hits.stream()
        .map(hit -> hit.slot().name() + " (process " + hit.process().pid() + ")")
        .collect(Collectors.joining(" and "));
  }

  private String timeOut() throws Exception {
    payments.timeOut(PAID);
    return "placed " + PAID + " orders for which the gateway charges, but answers too late";
  }

  private String stopStore() {
    if (!storeRuns.compareAndSet(true, false)) {
      throw new IllegalStateException("the store is stopped: it starts again in some seconds");
    }
    store.kill();
    background.later(OUTAGE, "the start of the store", () -> {
      store.restart();
      storeRuns.set(true);
    });
    return "killed the store, which starts again after " + OUTAGE.toSeconds() + " s";
  }

  private String replay() {
    if (crew.show().stream().anyMatch(it -> it.state() == TrialConsumer.State.FROZEN)) {
      throw new IllegalStateException("a consumer is frozen: wait until it continues");
    }
    if (!replays.compareAndSet(false, true)) {
      throw new IllegalStateException("the groups are being reset: wait until they read again");
    }
    background.later(Duration.ZERO, "a replay", () -> {
      try {
        crew.rest();
        rewind();
      } finally {
        crew.open();
        replays.set(false);
      }
    });
    return "stops both groups, resets them to the beginning, and starts them again";
  }

  /** Resets the groups. The broker refuses that until it has noticed that members are dead. */
  private void rewind() throws Exception {
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK.toMillis())) {
      try {
        topic.rewind();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - begin > REWIND.toNanos()) {
          throw e;
        }
      }
    }
  }

  /** Ends all consumers. */
  @Override
  public void close() {
    readings.close();
    background.close();
    crew.close();
  }
}
