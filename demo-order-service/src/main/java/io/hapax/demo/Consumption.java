package io.hapax.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lets consumers read the topic to lag 0, and kills some of them on the way. */
final class Consumption {

  private static final long TICK_MILLIS = 20;
  private static final int TICKS_TO_LOOK_AT_LAG = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MISSES_FOR_EACH_KILL = 10;
  private static final int LATEST_KILL_MICROS = 120_000;

  private final DemoSettings settings;
  private final Consumers consumers;
  private final OrderBroker broker;
  private final LeftBehind leftBehind;
  private final Acknowledgements acknowledgements;
  private final List<Blow> blows;
  private final Progress progress;
  private final Random random;
  private final List<Kill> kills = new ArrayList<>();
  private final List<Disruption> disruptions = new ArrayList<>();
  private final Map<String, Integer> struck = new HashMap<>();
  private Standstill longestStandstill = new Standstill("the start", Duration.ZERO);
  private int killsRepeated;
  private int settledBefore;

  Consumption(
      DemoSettings settings,
      Consumers consumers,
      OrderBroker broker,
      LeftBehind leftBehind,
      List<Blow> blows,
      Progress progress) {
    this.settings = settings;
    this.consumers = consumers;
    this.broker = broker;
    this.leftBehind = leftBehind;
    this.acknowledgements = new Acknowledgements(broker, leftBehind);
    this.blows = List.copyOf(blows);
    this.progress = progress;
    this.random = new Random(settings.seed());
  }

  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /** What the consumers went through and may have left something in doubt: kills too. */
  List<Disruption> disruptions() {
    return List.copyOf(disruptions);
  }

  /** Takes note of a kill that hit something. */
  void killed(Kill kill) {
    kills.add(kill);
    disruptions.add(kill);
  }

  /** How many blows of that name hit something. */
  int struck(String name) {
    return struck.getOrDefault(name, 0);
  }

  /** How long a consumer settled nothing after its store or broker was killed, at the longest. */
  Standstill longestStandstill() {
    return longestStandstill;
  }

  /** What stood behind the acknowledgements. */
  Acknowledgements acknowledgements() {
    return acknowledgements;
  }

  /** How many kills hit nothing. */
  int killsRepeated() {
    return killsRepeated;
  }

  /**
   * Reads the topic for the first time, with all other blows, and then all kills, spread over it.
   * The consumer after a kill that hit nothing is slow from its first order on: at full speed it
   * would take the orders that are meant for the kills to come.
   */
  void firstPass(Publication publication, int messages)
      throws IOException, SQLException, InterruptedException {
    progress.begin("consume", messages);
    settledBefore = 0;
    long apart = settings.orders() / (settings.faults().count() + 1L);
    strike(publication, apart / 2);
    publication.next();
    long brakeAfter = apart;
    while (kills.size() < settings.faults().kills()
        && killsRepeated < settings.faults().kills() * MISSES_FOR_EACH_KILL) {
      try (Child child = consumers.start(brakeAfter)) {
        if (awaitArmed(child)) {
          brakeAfter = kill(child) ? apart : 0;
        } else {
          child.stop();
          break;
        }
      }
    }
    toTheEnd();
  }

  private void strike(Publication publication, long brakeAfter)
      throws IOException, SQLException, InterruptedException {
    for (Blow blow : blows) {
      publication.next();
      try (Child child = blow.victim(consumers, brakeAfter)) {
        if (awaitArmed(child)) {
          TimeUnit.MICROSECONDS.sleep(random.nextInt(LATEST_KILL_MICROS));
          blow.under(child, random).ifPresent(disruptions::add);
          int number = struck.merge(blow.name(), 1, Integer::sum);
          progress.step(blow.name() + ' ' + number + " of "
              + blows.stream().filter(each -> each.name().equals(blow.name())).count());
          keep(blow, new Standstill(blow.name() + ' ' + number, awaitMovement(child)));
        }
        child.stop();
      }
    }
  }

  /** After a stop it is the other consumer who has to go on, and whose recovery is measured. */
  private void keep(Blow blow, Standstill standstill) {
    progress.step("settles again after " + standstill.time().toMillis() + " ms");
    if (!(blow instanceof Freeze) && standstill.time().compareTo(longestStandstill.time()) > 0) {
      longestStandstill = standstill;
    }
  }

  /** Waits until the consumer goes on by itself, or for lag 0, and says how long that took. */
  private Duration awaitMovement(Child child) throws IOException, InterruptedException {
    int settled = child.reports().settled();
    long since = System.nanoTime();
    while (child.reports().settled() == settled && broker.lag() > 0) {
      child.mustRun();
      mustMove(child, since);
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** Reads the topic once more; the group stands at its beginning again. */
  void replay(int number, int messages) throws IOException, SQLException, InterruptedException {
    settledBefore = consumers.settled();
    progress.begin("replay " + number, messages);
    toTheEnd();
  }

  private void toTheEnd() throws IOException, SQLException, InterruptedException {
    try (Child child = consumers.start(Long.MAX_VALUE)) {
      awaitArmed(child);
      child.stop();
    }
    if (!settings.naive()) {
      acknowledgements.look();
    }
    progress.end();
  }

  /** Waits for a batch that may be killed, or for lag 0. */
  private boolean awaitArmed(Child child) throws IOException, InterruptedException {
    int seen = -1;
    long since = System.nanoTime();
    int idleTicks = 0;
    while (!child.reports().awaitArmed(TICK_MILLIS)) {
      child.mustRun();
      // A look at the lag takes time in which a kill could come too late, so only when idle.
      if (++idleTicks % TICKS_TO_LOOK_AT_LAG == 0 && child.reports().ready() && broker.lag() == 0) {
        return child.reports().armed();
      }
      int settled = consumers.settled();
      progress.at(settled - settledBefore);
      if (settled != seen) {
        seen = settled;
        idleTicks = 0;
        since = System.nanoTime();
      }
      mustMove(child, since);
    }
    return true;
  }

  private void mustMove(Child child, long since) throws IOException, InterruptedException {
    if (System.nanoTime() - since > PATIENCE.toNanos()) {
      throw new IllegalStateException("nothing moved for " + PATIENCE.toSeconds() + " s, at lag "
          + broker.lag() + ": " + child.endOfLog());
    }
  }

  /** Says whether it hit something. */
  private boolean kill(Child child) throws IOException, SQLException, InterruptedException {
    TimeUnit.MICROSECONDS.sleep(random.nextInt(LATEST_KILL_MICROS));
    child.kill();
    if (!settings.naive()) {
      acknowledgements.look();
    }
    Set<String> inFlight = child.reports().inFlight();
    if (inFlight.isEmpty()) {
      killsRepeated++;
      return false;
    }
    Set<String> inDoubt = settings.naive() ? Set.of() : leftBehind.inDoubt(child.number());
    Kill kill = new Kill(child.number(), inFlight, inDoubt);
    killed(kill);
    progress.step(
        "SIGKILL " + kills.size() + " of " + settings.faults().kills() + ": process " + child.pid()
            + " with " + inFlight.size() + (inFlight.size() == 1 ? " order" : " orders")
            + " in flight");
    return true;
  }
}
