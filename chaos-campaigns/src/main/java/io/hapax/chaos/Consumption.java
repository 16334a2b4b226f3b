package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Runs consumers until lag 0, and kills some of them on the way. */
final class Consumption implements Passes {

  /** The faults that a consumer survives, in their sequence. */
  private static final List<Fault> OTHERS =
      List.of(Fault.BROKER_RESTART, Fault.STORE_RESTART, Fault.STOP);

  private static final long TICK_MILLIS = 20;
  private static final int TICKS_TO_LOOK_AT_LAG = 10;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int MISSES_FOR_EACH_KILL = 10;

  private final ChaosSettings settings;
  private final Consumers consumers;
  private final OrderBroker broker;
  private final Acknowledgements acknowledgements;
  private final Faults faults;
  private final Progress progress;
  private final FaultLog log;

  Consumption(
      ChaosSettings settings,
      Consumers consumers,
      OrderBroker broker,
      Faults faults,
      FaultLog log,
      Acknowledgements acknowledgements,
      Progress progress) {
    this.settings = settings;
    this.consumers = consumers;
    this.broker = broker;
    this.acknowledgements = acknowledgements;
    this.log = log;
    this.faults = faults;
    this.progress = progress;
  }

  /**
   * Reads the topic for the first time: first with all other faults, then with all kills. After a
   * kill that hit nothing, the next consumer is slow from its first order. At full speed it would
   * take the orders that the later kills need.
   */
  @Override
  public void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    Publication publication = new Publication(broker, postings, settings.faults());
    progress.step("consume: " + postings.size() + " messages");
    long apart = settings.orders() / (settings.faults().count() + 1L);
    injectFaults(publication, apart / 2);
    publication.next();
    long pauseAfter = apart;
    while (log.kills().size() < settings.faults().kills()
        && log.killsRepeated() < settings.faults().kills() * MISSES_FOR_EACH_KILL) {
      try (Group group = new Group(consumers, broker)) {
        ConsumerProcess child = group.start(pauseAfter, false);
        if (!awaitArmed(child)) {
          group.stop();
          break;
        }
        pauseAfter = faults.inject(Fault.KILL, group, child) ? apart : 0;
      }
    }
    consumeToEnd();
  }

  private void injectFaults(Publication publication, long pauseAfter)
      throws IOException, SQLException, InterruptedException {
    for (Fault fault : OTHERS) {
      for (int i = 0; i < fault.asked(settings.faults()); i++) {
        publication.next();
        try (Group group = new Group(consumers, broker)) {
          // A stop between two batches would test nothing.
          ConsumerProcess child = group.start(pauseAfter, fault == Fault.STOP);
          if (awaitArmed(child)) {
            faults.inject(fault, group, child);
          }
          group.stop();
        }
      }
    }
  }

  @Override
  public void replay(int number, int messages)
      throws IOException, SQLException, InterruptedException {
    progress.step("replay " + number + ": " + messages + " messages");
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
}
