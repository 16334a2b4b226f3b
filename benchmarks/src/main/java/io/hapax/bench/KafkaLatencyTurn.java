package io.hapax.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Measures the latency of a consumer: a producer of this process appends records at a steady rate,
 * each with the time of its call. The first second does not count.
 */
final class KafkaLatencyTurn {

  private static final double WARM_UP_SECONDS = 1;
  private static final long PATIENCE_SECONDS = 60;
  private static final long PAUSE_NANOS = 500_000;

  /** The time from the append of a record to the end of its handler. */
  record Latency(double p50Millis, double p99Millis) {

    static Latency of(long[] nanos) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return new Latency(at(sorted, 0.5), at(sorted, 0.99));
    }

    private static double at(long[] sorted, double share) {
      return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }

    static Latency median(List<Latency> rounds) {
      return new Latency(
          Spread.median(rounds, Latency::p50Millis), Spread.median(rounds, Latency::p99Millis));
    }
  }

  private final KafkaTopic topic;
  private final int rate;
  private final int skipped;
  private final long[] nanos;
  private final CountDownLatch first;
  private final CountDownLatch last;

  KafkaLatencyTurn(KafkaTopic topic, int rate, double seconds) {
    this.topic = topic;
    this.rate = rate;
    this.skipped = (int) (rate * WARM_UP_SECONDS);
    this.nanos = new long[(int) Math.max(1, rate * seconds)];
    this.first = new CountDownLatch(topic.partitions());
    this.last = new CountDownLatch(topic.partitions() + skipped + nanos.length);
  }

  Latency measure(KafkaSubject subject, KafkaTurns turns, Servers servers) throws Exception {
    servers.kafka().createTopic(topic.name(), topic.partitions());
    CommitMeter meter = new CommitMeter(1, 0, Long.MAX_VALUE);
    try (AutoCloseable running = turns.start(subject, topic, meter, this::handled)) {
      Objects.requireNonNull(running);
      produce(servers.kafka().bootstrapServers());
      await(last);
    }
    return Latency.of(nanos);
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          latch.getCount() + " records were not handled within " + PATIENCE_SECONDS + " s");
    }
  }

  private void handled(ConsumerRecord<byte[], byte[]> record) {
    long passed = System.nanoTime() - KafkaTopic.stamp(record.value());
    long number = record.offset() * topic.partitions() + record.partition();
    long index = number - topic.partitions() - skipped;
    if (index >= 0 && index < nanos.length) {
      nanos[(int) index] = passed;
    }
    first.countDown();
    last.countDown();
  }

  /** Sends a record to each partition, and the others when the consumer has handled these. */
  private void produce(String bootstrapServers) throws InterruptedException {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0);
    try (KafkaProducer<byte[], byte[]> producer = KafkaTopic.producer(settings)) {
      long number = 0;
      for (; number < topic.partitions(); number++) {
        send(producer, number);
      }
      await(first);
      long begin = System.nanoTime();
      long end = number + skipped + nanos.length;
      while (number < end) {
        long due = topic.partitions() + (long) ((System.nanoTime() - begin) / 1e9 * rate);
        for (; number <= due && number < end; number++) {
          send(producer, number);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Sends a record with the time of this call. If it is lost, the wait for its handler fails. */
  private void send(KafkaProducer<byte[], byte[]> producer, long number) {
    var unused = producer.send(topic.record(number, System.nanoTime()));
  }
}
