package io.hapax.bench;

import java.util.Locale;
import java.util.Objects;

/** Samples a turn of a consumer: the CPU time by method, and the waits of its threads. */
final class KafkaProfile implements HotSpots.Work {

  private final KafkaSubject subject;
  private final KafkaTurns turns;
  private final KafkaSetup setup;
  private String threads = "";
  private String processes = "";

  private KafkaProfile(KafkaSubject subject, KafkaTurns turns, KafkaSetup setup) {
    this.subject = subject;
    this.turns = turns;
    this.setup = setup;
  }

  /** Returns the profile as text. */
  static String of(KafkaSubject subject, KafkaTurns turns, KafkaSetup setup) throws Exception {
    KafkaProfile profile = new KafkaProfile(subject, turns, setup);
    HotSpots spots = HotSpots.of(profile);
    return String.format(
        Locale.ROOT,
        "  CPU, us a record: %s%n%s%s",
        profile.processes,
        profile.threads,
        spots.text());
  }

  @Override
  public void run() throws Exception {
    CommitMeter meter = setup.meter(subject);
    try (AutoCloseable running = turns.start(subject, setup.topic(), meter, record -> {})) {
      Objects.requireNonNull(running);
      meter.awaitBegin();
      Processes then = Processes.now();
      try (ThreadSampler sampler = new ThreadSampler()) {
        meter.awaitEnd(setup.length().limit());
        long records = Math.max(1, meter.count());
        processes = Processes.now().since(then, records);
        threads = sampler.text(records);
      }
    }
  }
}
