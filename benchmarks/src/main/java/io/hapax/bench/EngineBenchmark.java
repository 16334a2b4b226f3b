package io.hapax.bench;

import io.hapax.store.InMemoryDedupStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the engine with the in-memory store, one submission after the other, like a poll loop.
 * The cost of the store is measured separately and subtracted.
 */
final class EngineBenchmark {

  private final EngineSetup setup;

  EngineBenchmark(EngineSetup setup) {
    this.setup = setup;
  }

  /** Runs rounds of all subjects in turn. The first half of them warms up. */
  Map<EngineSubject, EngineCost> run() throws Exception {
    Map<EngineSubject, List<EngineCost>> rounds = new EnumMap<>(EngineSubject.class);
    for (int i = 0; i < 2 * setup.rounds(); i++) {
      for (EngineSubject subject : EngineSubject.values()) {
        EngineCost cost = cost(subject);
        if (i >= setup.rounds()) {
          rounds.computeIfAbsent(subject, same -> new ArrayList<>()).add(cost);
        }
      }
    }
    Map<EngineSubject, EngineCost> medians = new EnumMap<>(EngineSubject.class);
    rounds.forEach((subject, costs) -> medians.put(subject, EngineCost.median(costs)));
    return medians;
  }

  /** Returns the messages of a round. */
  int messages() {
    return setup.submitted();
  }

  /** Runs a round. */
  EngineCost cost(EngineSubject subject) throws Exception {
    try (EngineSubject.Round round = round(subject)) {
      ThreadMeter meter = new ThreadMeter();
      long begin = System.nanoTime();
      round.run();
      long nanos = System.nanoTime() - begin;
      return EngineCost.of(setup.submitted(), nanos, meter.use());
    }
  }

  /** Runs a round with a new store and receiver, so that marks do not accumulate. */
  private EngineSubject.Round round(EngineSubject subject) {
    return subject.round(setup, new InMemoryDedupStore(InstantSource.system(), Messages.RETENTION));
  }

  /** Samples the time and the allocations of rounds, without the creation of messages. */
  HotSpots profile(EngineSubject subject) throws Exception {
    List<EngineSubject.Round> rounds = new ArrayList<>();
    for (int i = 0; i < setup.rounds(); i++) {
      rounds.add(round(subject));
    }
    try {
      return HotSpots.of(() -> {
        for (EngineSubject.Round round : rounds) {
          round.run();
        }
      });
    } finally {
      rounds.forEach(EngineSubject.Round::close);
    }
  }
}
