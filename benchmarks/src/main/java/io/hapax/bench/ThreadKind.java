package io.hapax.bench;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tasks of threads in a process with a consumer, recognised by thread names. */
enum ThreadKind {
  LISTENERS("listeners", "ConsumeMessageThread_"),
  POLL("poll loop", "hapax-kafka-|" + KafkaLoop.THREAD),
  CALLERS("Hapax, callers of the store", "hapax-store-"),
  WORKERS("Hapax, workers", "hapax-worker-"),
  REDIS("client of Redis", "lettuce-"),
  BROKER("client of RocketMQ", "PullMessageService|NettyClient|MQClient|Rebalance"),
  HEARTBEAT("client of Kafka, heartbeat", "kafka-coordinator-heartbeat"),
  OTHERS("others", "");

  private final String title;
  private final Pattern begin;

  ThreadKind(String title, String begin) {
    this.title = title;
    this.begin = Pattern.compile(begin);
  }

  static ThreadKind of(String thread) {
    return Stream.of(values())
        .filter(kind -> kind.begin.matcher(thread).lookingAt())
        .findFirst()
        .orElseThrow();
  }

  String title() {
    return title;
  }
}
