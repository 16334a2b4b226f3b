package io.hapax.chaos;

import io.hapax.console.trial.TrialState;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads effects and charges twice a second. It has its own threads, which may wait for a stopped
 * store or a slow gateway.
 */
final class Readings implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Readings.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final LiveOrders topic;
  private final LiveShop store;
  private final Payments payments;
  private final boolean leased;
  private final Background threads = new Background(2);
  private volatile Optional<TrialState.Effects> effects = Optional.empty();
  private volatile Optional<TrialState.Charges> charges = Optional.empty();

  Readings(LiveOrders topic, LiveShop store, Payments payments, boolean leased) {
    this.topic = topic;
    this.store = store;
    this.payments = payments;
    this.leased = leased;
  }

  void start() {
    threads.every(PAUSE, "the reading of the ledger", this::readLedger);
    threads.every(PAUSE, "the reading of the charges", this::readCharges);
  }

  private void readLedger() {
    List<String> placed = topic.placed();
    try (Connection connection = store.connect()) {
      effects = Optional.of(Ledger.read(connection, placed, leased));
    } catch (SQLException e) {
      LOG.debug("the ledger cannot be read", e);
      effects = Optional.empty();
    }
  }

  private void readCharges() throws InterruptedException {
    try {
      charges = payments.charges();
    } catch (IOException e) {
      LOG.debug("the charges cannot be read", e);
      charges = Optional.empty();
    }
  }

  /** Returns the effects; empty while the ledger cannot be read. */
  Optional<TrialState.Effects> effects() {
    return effects;
  }

  /** Returns the charges; empty before the first one, and while a gateway cannot be read. */
  Optional<TrialState.Charges> charges() {
    return charges;
  }

  @Override
  public void close() {
    threads.close();
  }
}
