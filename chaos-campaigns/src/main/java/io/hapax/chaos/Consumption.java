package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs consumers until lag 0, and kills some of them on the way. */
final class Consumption implements Passes {

  private static final long TICK_MILLIS = 20;
  private static final int TICKS_TO_LOOK_AT_LAG = 10;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int MISSES_FOR_EACH_KILL = 10;
  private static final int MAX_DELAY_MICROS = 120_000;

  private final ChaosSettings settings;
  private final Consumers consumers;
  private final OrderBroker broker;
  private final StoreInspector inspector;
  private final Acknowledgements acknowledgements;
  private final List<Fault> faults;
  private final Progress progress;
  private final Random random;
  private final FaultLog log;
  private int settledBefore;

  Consumption(
      ChaosSettings settings,
      Consumers consumers,
      OrderBroker broker,
      StoreInspector inspector,
      List<Fault> faults,
      FaultLog log,
      Acknowledgements acknowledgements,
      Progress progress) {
    this.settings = settings;
    this.consumers = consumers;
    this.broker = broker;
    this.inspector = inspector;
    this.acknowledgements = acknowledgements;
    this.log = log;
    this.faults = List.copyOf(faults);
    this.progress = progress;
    this.random = new Random(settings.seed());
  }

  /**
   * Reads the topic for the first time: first with all other faults, then with all kills. After a
   * kill that hit nothing, the next consumer is slow from its first order. At full speed it would
   * take the orders that the later kills need.
   */
  @Override
  public void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    Publication publication = new Publication(broker, postings, settings.faults());
    progress.begin("consume", postings.size());
    settledBefore = 0;
    long apart = settings.orders() / (settings.faults().count() + 1L);
    injectFaults(publication, apart / 2);
    publication.next();
    long pauseAfter = apart;
    while (log.kills().size() < settings.faults().kills()
        && log.killsRepeated() < settings.faults().kills() * MISSES_FOR_EACH_KILL) {
      try (ConsumerProcess child = consumers.start(pauseAfter)) {
        if (awaitArmed(child)) {
          pauseAfter = kill(child) ? apart : 0;
        } else {
          child.stop();
          break;
        }
      }
    }
    consumeToEnd();
  }

  private void injectFaults(Publication publication, long pauseAfter)
      throws IOException, SQLException, InterruptedException {
    for (Fault fault : faults) {
      publication.next();
      try (ConsumerProcess child = fault.startTarget(consumers, pauseAfter)) {
        if (awaitArmed(child)) {
          TimeUnit.MICROSECONDS.sleep(random.nextInt(MAX_DELAY_MICROS));
          fault.inject(child, random).ifPresent(log::disrupted);
          int number = log.hit(fault.name());
          progress.step(fault.name() + ' ' + number + " of "
              + faults.stream().filter(each -> each.name().equals(fault.name())).count());
          keep(fault, new Standstill(fault.name() + ' ' + number, awaitProgress(child)));
        }
        child.stop();
      }
    }
  }

  /**
   * Keeps the longest standstill. After a stop another consumer continues, and its recovery is
   * measured instead.
   */
  private void keep(Fault fault, Standstill standstill) {
    progress.step("settles again after " + standstill.time().toMillis() + " ms");
    if (!(fault instanceof ConsumerStop)) {
      log.stoodStill(standstill);
    }
  }

  /**
   * Waits until the consumer continues by itself, or for lag 0. Returns the time that this took.
   * The consumer is released first: a listener of Spring pauses at each message, and the pauses of
   * one transaction of many messages would count as a standstill.
   */
  private Duration awaitProgress(ConsumerProcess child) throws IOException, InterruptedException {
    child.release();
    int settled = child.reports().settled();
    long since = System.nanoTime();
    while (child.reports().settled() == settled && broker.lag() > 0) {
      child.mustRun();
      requireProgress(child, since);
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
    return Duration.ofNanos(System.nanoTime() - since);
  }

  @Override
  public void replay(int number, int messages)
      throws IOException, SQLException, InterruptedException {
    settledBefore = consumers.settled();
    progress.begin("replay " + number, messages);
    consumeToEnd();
  }

  private void consumeToEnd() throws IOException, SQLException, InterruptedException {
    try (ConsumerProcess child = consumers.start(Long.MAX_VALUE)) {
      awaitArmed(child);
      child.stop();
    }
    if (!settings.naive()) {
      acknowledgements.check();
    }
    progress.end();
  }

  /** Waits for a batch that may be killed, or for lag 0. */
  private boolean awaitArmed(ConsumerProcess child) throws IOException, InterruptedException {
    int seen = -1;
    long since = System.nanoTime();
    int idleTicks = 0;
    while (!child.reports().awaitArmed(TICK_MILLIS)) {
      child.mustRun();
      // Reading the lag takes time in which a kill could come too late. So the lag is read only
      // when the consumer is idle.
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
      requireProgress(child, since);
    }
    return true;
  }

  private void requireProgress(ConsumerProcess child, long since)
      throws IOException, InterruptedException {
    if (System.nanoTime() - since > TIMEOUT.toNanos()) {
      throw new IllegalStateException("no progress for " + TIMEOUT.toSeconds() + " s, at lag "
          + broker.lag() + ": " + child.endOfLog());
    }
  }

  /** Kills the consumer, and returns whether an order was in flight. */
  private boolean kill(ConsumerProcess child)
      throws IOException, SQLException, InterruptedException {
    TimeUnit.MICROSECONDS.sleep(random.nextInt(MAX_DELAY_MICROS));
    child.kill();
    if (!settings.naive()) {
      acknowledgements.check();
    }
    Set<String> inFlight = child.reports().inFlight();
    if (inFlight.isEmpty()) {
      log.missed();
      return false;
    }
    Set<String> inDoubt = settings.naive() ? Set.of() : inspector.inDoubt(child.number());
    Kill kill = new Kill(child.number(), inFlight, inDoubt);
    log.killed(kill);
    progress.step("SIGKILL " + log.kills().size() + " of " + settings.faults().kills()
        + ": process " + child.pid()
        + " with " + inFlight.size() + (inFlight.size() == 1 ? " order" : " orders")
        + " in flight");
    return true;
  }
}
