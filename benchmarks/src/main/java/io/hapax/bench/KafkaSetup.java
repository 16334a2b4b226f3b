package io.hapax.bench;

import java.util.List;

/**
 * The settings of a Kafka benchmark.
 *
 * @param topic the topic that consumers read from its beginning
 * @param subjects the measured subjects
 * @param poll {@code max.poll.records}, and the batch of engine and stores alone
 * @param threads threads that call a store alone
 * @param length the length of the measurement
 * @param latencies records a second of the latency measurements; empty for none
 */
record KafkaSetup(
    KafkaTopic topic,
    List<KafkaSubject> subjects,
    int poll,
    int threads,
    TurnLength length,
    List<Integer> latencies) {

  KafkaSetup {
    StoresSettings.between("--poll", poll, 1, 5000);
    StoresSettings.between("--threads", threads, 1, 32);
    latencies.forEach(rate -> StoresSettings.between("--latency", rate, 1, 100_000));
    subjects = subjects.stream().distinct().sorted().toList();
    latencies = List.copyOf(latencies);
  }

  /** Returns the subjects that meet fresh ids. */
  List<KafkaSubject> fresh() {
    return subjects.stream().filter(subject -> !subject.replays()).toList();
  }

  /** Returns the subjects that meet known ids. */
  List<KafkaSubject> replays() {
    return subjects.stream().filter(KafkaSubject::replays).toList();
  }

  /**
   * Returns the meter of a subject. The first polls of each partition do not count if the subject
   * is a receiver: it fills its windows with them, and the first one runs in one-by-one mode.
   */
  CommitMeter meter(KafkaSubject subject) {
    long skipped = subject.kind() == KafkaSubject.Kind.RECEIVER ? 2L * poll : 1;
    return new CommitMeter(topic.partitions(), skipped, topic.records());
  }
}
