package io.hapax.demo.live;

import io.hapax.console.trial.Trial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialState;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import io.hapax.errors.HapaxException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the buttons of the view "Break it" on real processes and servers. */
final class LiveTrial implements Trial {

  private static final Logger LOG = LoggerFactory.getLogger(LiveTrial.class);
  private static final long SEED = 1;
  private static final int MANY = 100;
  private static final int IN_FLIGHT = 20;
  private static final int PAID = 5;
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration READING = Duration.ofMillis(500);
  private static final Duration OUTAGE = Duration.ofSeconds(8);
  private static final Duration REWIND = Duration.ofSeconds(30);

  private final LiveServers servers;
  private final Random random = new Random(SEED);
  private final List<Order> placed = new ArrayList<>();
  private final Payments payments;
  private final Crew crew;
  private final ReentrantLock action = new ReentrantLock();
  private final AtomicBoolean storeRuns = new AtomicBoolean(true);
  private final AtomicBoolean replays = new AtomicBoolean();
  private final Background background;
  private volatile Optional<TrialState.Effects> effects = Optional.empty();
  private volatile Optional<TrialState.Charges> charges = Optional.empty();

  LiveTrial(LiveServers servers, Payments payments, Crew crew, Background background) {
    this.servers = servers;
    this.background = background;
    this.payments = payments;
    this.crew = crew;
    background.every(TICK, "the supervision of the consumers", crew::supervise);
    background.every(READING, "the reading of the ledger", this::readLedger);
    background.every(READING, "the reading of the charges", () -> charges = payments.charges());
  }

  private void readLedger() {
    List<String> ids = newest(Integer.MAX_VALUE).stream().map(Order::id).toList();
    try (Connection connection = servers.stage().database().getConnection()) {
      effects = Optional.of(Ledger.read(connection, ids, servers.mode() == Mode.LEASED));
    } catch (SQLException e) {
      LOG.debug("the ledger cannot be read", e);
      effects = Optional.empty();
    }
  }

  @Override
  public Set<TrialAction> actions() {
    return EnumSet.allOf(TrialAction.class);
  }

  @Override
  public TrialState state() {
    return new TrialState(storeRuns.get(), crew.show(), effects, charges);
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

  private String place(int count) throws IOException, InterruptedException {
    List<Order> orders = new ArrayList<>();
    synchronized (placed) {
      for (int i = 0; i < count; i++) {
        orders.add(Orders.order(random, SEED, placed.size() + i));
      }
      placed.addAll(orders);
    }
    servers.publish(orders);
    return "placed " + count + (count == 1 ? " order" : " orders");
  }

  private String storm() throws IOException, InterruptedException {
    List<Order> orders = newest(MANY);
    if (orders.isEmpty()) {
      throw new IllegalStateException("no order was placed yet");
    }
    servers.publish(orders);
    return "published " + orders.size() + " orders again";
  }

  private List<Order> newest(int most) {
    synchronized (placed) {
      return List.copyOf(placed.subList(Math.max(0, placed.size() - most), placed.size()));
    }
  }

  private String kill() throws Exception {
    List<Crew.Hit> hits = crew.holdOneOfEach(() -> place(IN_FLIGHT));
    for (Crew.Hit hit : hits) {
      hit.process().kill();
    }
    return "placed " + IN_FLIGHT + " orders and killed " + named(hits);
  }

  private String freeze() throws Exception {
    Duration time = servers.freeze();
    List<Crew.Hit> hits = crew.freezeOneOfEach(() -> place(IN_FLIGHT), time, background);
    return "placed " + IN_FLIGHT + " orders and froze " + named(hits) + " for " + time.toSeconds()
        + " s";
  }

  private static String named(List<Crew.Hit> hits) {
    return hits.stream()
        .map(hit -> hit.name() + " (process " + hit.process().pid() + ")")
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
    Runnable restart = servers.killStore();
    background.later(OUTAGE, "the start of the store", () -> {
      restart.run();
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
  private void rewind() throws InterruptedException {
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK.toMillis())) {
      try {
        servers.rewind(OrderChannel.GROUP);
        servers.rewind(LiveServers.NAIVE_GROUP);
        return;
      } catch (HapaxException e) {
        if (System.nanoTime() - begin > REWIND.toNanos()) {
          throw e;
        }
      }
    }
  }
}
