package io.hapax.chaos;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialOrders;
import io.hapax.console.trial.TrialState;
import io.hapax.demo.Mode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the ledger, the groups and the gateways, and judges the stories by that. Thread-safe. */
final class LiveStories {

  private static final Logger LOG = LoggerFactory.getLogger(LiveStories.class);
  private static final int SHOWN = 12;

  private final Serving servers;
  private final Payments payments;
  private final Crew crew;
  private final OrderFlow flow;
  private final ConcurrentLinkedDeque<LiveStory> stories = new ConcurrentLinkedDeque<>();
  private volatile TrialOrders booked = TrialOrders.of(List.of());
  private volatile TrialOrders charged = TrialOrders.of(List.of());
  private volatile long readNanos = System.nanoTime();

  LiveStories(Serving servers, Payments payments, Crew crew, OrderFlow flow) {
    this.servers = servers;
    this.payments = payments;
    this.crew = crew;
    this.flow = flow;
  }

  LiveStory begin(TrialAction action) {
    LiveStory story = new LiveStory(action, InstantSource.system().instant());
    stories.addFirst(story);
    while (stories.size() > SHOWN) {
      stories.removeLast();
    }
    return story;
  }

  void forget(LiveStory story) {
    stories.remove(story);
  }

  boolean areOpen() {
    return stories.stream().anyMatch(LiveStory::isOpen);
  }

  void readOrders() throws InterruptedException {
    long begin = System.nanoTime();
    Map<TrialLane, Boolean> running = new EnumMap<>(TrialLane.class);
    Map<TrialLane, OptionalLong> lags = new EnumMap<>(TrialLane.class);
    for (TrialLane lane : TrialLane.values()) {
      running.put(lane, crew.isComplete(lane));
      lags.put(lane, areOpen() ? lag(lane) : OptionalLong.empty());
    }
    List<String> ids = flow.ids();
    try (Connection connection = servers.stage().database().getConnection()) {
      List<TrialOrder> orders = Ledger.read(connection, ids, servers.mode() == Mode.LEASED);
      booked = TrialOrders.of(orders);
      readNanos = System.nanoTime();
      running.forEach((lane, runs) -> judge(
          false,
          lane,
          new LaneReading(begin, runs, lags.getOrDefault(lane, OptionalLong.empty()), orders)));
    } catch (SQLException e) {
      LOG.debug("the ledger cannot be read", e);
    }
  }

  private OptionalLong lag(TrialLane lane) throws InterruptedException {
    try {
      return OptionalLong.of(servers.lag(lane));
    } catch (IOException e) {
      LOG.debug("the lag of {} cannot be read", lane, e);
      return OptionalLong.empty();
    }
  }

  void readPayments() {
    payments.read().forEach((lane, reading) -> {
      charged = TrialOrders.of(reading.orders());
      judge(true, lane, reading);
    });
  }

  private void judge(boolean ofPayments, TrialLane lane, LaneReading reading) {
    stories.stream()
        .filter(story -> story.isOfPayments() == ofPayments)
        .forEach(story -> story.judge(lane, reading));
  }

  TrialState state(boolean storeRuns) {
    long now = System.nanoTime();
    return new TrialState(
        storeRuns,
        crew.show(),
        booked,
        charged,
        Duration.ofNanos(now - readNanos),
        stories.stream().map(story -> story.show(now)).toList());
  }
}
