package io.hapax.chaos;

import io.hapax.console.trial.Trial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.demo.scene.GatewayClient;
import io.hapax.errors.HapaxException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Executes the buttons of the view "Break it" on real processes and servers. */
final class LiveTrial implements Trial {

  private static final int PLACED = 20;
  private static final int PAID = 5;
  private static final int COPIES = 3;

  /** The flow stops here, so that an unwatched demo does not grow for ever. */
  private static final int LONGEST_FLOW = 1_000;

  private static final Duration FLOW = Duration.ofSeconds(1);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration READING = Duration.ofMillis(500);
  private static final Duration OUTAGE = Duration.ofSeconds(8);
  private static final Duration REWIND = Duration.ofSeconds(30);

  private final Serving servers;
  private final OrderFlow flow;
  private final Payments payments;
  private final Crew crew;
  private final LiveStories stories;
  private final ReentrantLock action = new ReentrantLock();
  private final AtomicBoolean storeRuns = new AtomicBoolean(true);
  private final AtomicBoolean replays = new AtomicBoolean();
  private final Background background;

  LiveTrial(Serving servers, Payments payments, Crew crew, Background background) {
    this.servers = servers;
    this.background = background;
    this.payments = payments;
    this.crew = crew;
    this.flow = new OrderFlow(servers);
    this.stories = new LiveStories(servers, payments, crew, flow);
    background.every(TICK, "the supervision of the consumers", crew::supervise);
    background.every(READING, "the reading of the ledger", stories::readOrders);
    background.every(READING, "the reading of the charges", stories::readPayments);
    background.later(Duration.ZERO, "the first orders", () -> flow.place(PLACED, 1));
    background.every(FLOW, "the flow of orders", this::placeOne);
  }

  /** Places an order, unless a story is open: the lag must become zero before it is judged. */
  private void placeOne() throws Exception {
    if (!stories.areOpen() && flow.ids().size() < LONGEST_FLOW) {
      flow.place(1, 1);
    }
  }

  @Override
  public Set<TrialAction> actions() {
    return EnumSet.allOf(TrialAction.class);
  }

  @Override
  public TrialState state() {
    return stories.state(storeRuns.get());
  }

  @Override
  public String begin(TrialAction which) throws Exception {
    if (!action.tryLock()) {
      throw new IllegalStateException("another action is beginning: wait some seconds");
    }
    LiveStory story = stories.begin(which);
    try {
      return switch (which) {
        case KILL -> kill(story);
        case FREEZE -> freeze(story);
        case STORM -> storm(story);
        case GATEWAY_TIMEOUT -> timeOut(story);
        case STOP_STORE -> stopStore(story);
        case REPLAY -> replay(story);
      };
    } catch (Exception e) {
      stories.forget(story);
      throw e;
    } finally {
      action.unlock();
    }
  }

  private Set<String> place(LiveStory story, int times) throws Exception {
    story.begin(TrialStep.of(Kind.PLACED, PLACED));
    Set<String> orders = Set.copyOf(flow.place(PLACED, times));
    story.counts(orders);
    return orders;
  }

  private String kill(LiveStory story) throws Exception {
    List<Crew.Hit> hits = crew.holdOneOfEach(() -> place(story, 1));
    for (Crew.Hit hit : hits) {
      hit.process().kill();
      hit(story, Kind.KILLED, hit);
      expectNotice(story, hit.lane());
    }
    story.done();
    return "placed " + PLACED + " orders and killed " + named(hits);
  }

  private void expectNotice(LiveStory story, TrialLane lane) {
    OrderBroker broker = servers.broker();
    story.expect(lane, Kind.NOTICES, broker.memberTimeout(), broker.name);
  }

  private String freeze(LiveStory story) throws Exception {
    Duration time = servers.freeze();
    List<Crew.Hit> hits = crew.freezeOneOfEach(() -> place(story, 1), time, background);
    for (Crew.Hit hit : hits) {
      hit(story, Kind.FROZEN, hit);
      if (hit.lane() == TrialLane.HAPAX) {
        expectNotice(story, hit.lane());
      }
      story.expect(hit.lane(), Kind.THAWS, time);
    }
    story.done();
    return "placed " + PLACED + " orders and froze " + named(hits) + " for " + time.toSeconds()
        + " s";
  }

  private void hit(LiveStory story, Kind kind, Crew.Hit hit) {
    long now = System.nanoTime();
    Set<String> inFlight = hit.process().reports().inFlight();
    story.hit(kind, hit, inFlight.size(), () -> crew.takenOver(hit, now, inFlight));
  }

  private static String named(List<Crew.Hit> hits) {
    return hits.stream()
        .map(hit -> hit.name() + " (process " + hit.process().pid() + ")")
        .collect(Collectors.joining(" and "));
  }

  private String storm(LiveStory story) throws Exception {
    var unused = place(story, COPIES);
    story.begin(TrialStep.of(Kind.PUBLISHED, COPIES));
    story.done();
    return "placed " + PLACED + " orders, each of them " + COPIES + " times";
  }

  private String timeOut(LiveStory story) throws Exception {
    story.begin(TrialStep.of(Kind.PLACED, PAID));
    story.counts(payments.timeOut(PAID));
    story.begin(TrialStep.of(Kind.CHARGED_TOO_LATE));
    for (TrialLane lane : TrialLane.values()) {
      story.expect(lane, Kind.CLIENT_GIVES_UP, GatewayClient.TIMEOUT);
    }
    story.done();
    return "placed " + PAID + " orders for which the gateway charges, but answers too late";
  }

  private String stopStore(LiveStory story) throws Exception {
    if (!storeRuns.get()) {
      throw new IllegalStateException("the store is stopped: it starts again in some seconds");
    }
    List<Crew.Hit> hits = crew.holdOneOfEach(() -> place(story, 1));
    Runnable restart = servers.killStore();
    storeRuns.set(false);
    background.later(OUTAGE, "the start of the store", () -> {
      restart.run();
      storeRuns.set(true);
    });
    for (Crew.Hit hit : hits) {
      hit(story, Kind.STORE_KILLED, hit);
      hit.process().release();
    }
    for (TrialLane lane : TrialLane.values()) {
      story.expect(lane, Kind.STORE_STARTS, OUTAGE);
    }
    story.done();
    return "placed " + PLACED + " orders and killed the store, which starts again after "
        + OUTAGE.toSeconds() + " s";
  }

  private String replay(LiveStory story) {
    if (crew.show().stream().anyMatch(it -> it.state() == TrialConsumer.State.FROZEN)) {
      throw new IllegalStateException("a consumer is frozen: wait until it continues");
    }
    if (!replays.compareAndSet(false, true)) {
      throw new IllegalStateException("the groups are being reset: wait until they read again");
    }
    story.waitFor(Kind.REWINDING);
    background.later(Duration.ZERO, "a replay", () -> {
      try {
        crew.rest();
        rewind();
        story.counts(flow.ids());
        story.done();
      } catch (HapaxException e) {
        story.fail(String.valueOf(e.getMessage()));
        throw e;
      } finally {
        crew.open();
        replays.set(false);
      }
    });
    return "stops both groups, resets them to the beginning, and starts them again";
  }

  /** Resets the groups. The broker refuses that until it has noticed that members are dead. */
  private void rewind() throws InterruptedException {
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK.toMillis())) {
      try {
        for (TrialLane lane : TrialLane.values()) {
          servers.rewind(lane);
        }
        return;
      } catch (HapaxException e) {
        if (System.nanoTime() - begin > REWIND.toNanos()) {
          throw e;
        }
      }
    }
  }
}
