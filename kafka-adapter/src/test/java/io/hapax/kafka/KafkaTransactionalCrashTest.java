package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.TransactionalHandler;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM whose receivers copy records dies while each is at another point. */
@Timeout(240)
class KafkaTransactionalCrashTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @TempDir
  private Path directory;

  @Test
  void whatever_the_crash_point_each_id_is_produced_once() throws Exception {
    String prefix = Broker.topic(1);
    for (CrashPoint point : CrashPoint.values()) {
      String topic = CopyingJvm.topic(prefix, point);
      Broker.create(topic, 1);
      Broker.create(CopyingJvm.output(topic), 1);
      Broker.send(topic, 0, "a", "b", "a", "c");
    }
    LocalRedis redis = LocalRedis.start();
    Process child = CopyingJvm.fork(
        Broker.bootstrapServers(), prefix, redis.uri(), directory.resolve("jvm.log"));
    try {
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).as(this::log).isTrue();
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(child.exitValue()).as(this::log).isEqualTo(CopyingJvm.KILLED);

    try (DedupStore marks = CopyingJvm.marks(redis.uri())) {
      List<KafkaTransactionalReceiver> receivers = new ArrayList<>();
      try {
        for (CrashPoint point : CrashPoint.values()) {
          receivers.add(CopyingJvm.start(
              Broker.bootstrapServers(), CopyingJvm.topic(prefix, point), marks, Optional.empty()));
        }
        for (CrashPoint point : CrashPoint.values()) {
          assertCopiedOnce(point.name(), CopyingJvm.topic(prefix, point), marks);
        }
      } finally {
        receivers.forEach(KafkaTransactionalReceiver::close);
      }
    }
  }

  private static void assertCopiedOnce(String point, String topic, DedupStore marks) {
    await(point).atMost(BOUND).until(() -> Broker.committed(topic, topic, 0) >= 4);
    assertThat(Broker.readCommitted(CopyingJvm.output(topic)))
        .as(point)
        .extracting(ConsumerRecord::value)
        .containsExactly("a", "b", "c");
    await(point)
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(states(topic, marks)).hasSize(3).containsOnly(MarkState.DONE));
  }

  private static List<MarkState> states(String consumer, DedupStore marks) {
    List<MessageKey> keys = List.of(
        MessageKey.of(consumer, "a"), MessageKey.of(consumer, "b"), MessageKey.of(consumer, "c"));
    return marks.find(keys).stream().flatMap(Optional::stream).map(Mark::state).toList();
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("jvm.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The main class of a JVM that copies records, with one receiver for each crash point. */
  static final class CopyingJvm {

    static final int KILLED = 9;

    private CopyingJvm() {}

    public static void main(String[] args) throws InterruptedException {
      DedupStore marks = marks(args[2]);
      for (CrashPoint point : CrashPoint.values()) {
        var unused = start(args[0], topic(args[1], point), marks, Optional.of(point));
      }
      CrashPoint.awaitAll();
      Runtime.getRuntime().halt(KILLED); // like SIGKILL: nothing is cleaned up
    }

    static Process fork(String bootstrap, String prefix, String redis, Path log)
        throws IOException {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("java.class.path"),
              CopyingJvm.class.getName(),
              bootstrap,
              prefix,
              redis)
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start();
    }

    static String topic(String prefix, CrashPoint point) {
      return prefix + "-" + point.name().replace('_', '-');
    }

    static DedupStore marks(String redis) {
      return RedisDedupStore.builder(RedisURI.create(redis)).build();
    }

    static KafkaTransactionalReceiver start(
        String bootstrap, String topic, DedupStore store, Optional<CrashPoint> crash) {
      TransactionalHandler.Single<ConsumerRecord<String, String>, KafkaOutputs<String, String>>
          copy = (outputs, delivery) -> {
            ConsumerRecord<String, String> in = delivery.message();
            var sent = outputs.send(new ProducerRecord<>(output(topic), 0, in.key(), in.value()));
            if (crash.equals(Optional.of(CrashPoint.IN_HANDLER))) {
              var unused = sent.get(); // the record is in the topic, but not committed
              CrashPoint.reached();
            }
          };
      return KafkaTransactionalReceiver.builder(
              IdempotentReceiver.<ConsumerRecord<String, String>>builder(topic)
                  .id(KafkaIds.key())
                  .fingerprint(KafkaFingerprints.value())
                  .lease(LeaseSettings.of(Duration.ofSeconds(5))),
              crash.map(it -> Hook.into(DedupStore.class, store, it::inStore)).orElse(store),
              consuming(bootstrap, topic))
          .topics(List.of(topic))
          .start(producing(bootstrap, topic), copy, properties -> producer(properties, crash));
    }

    @SuppressWarnings("unchecked") // a proxy of an interface with type parameters
    private static Producer<String, String> producer(
        Map<String, Object> properties, Optional<CrashPoint> crash) {
      Producer<String, String> producer = new KafkaProducer<>(properties);
      return crash
          .map(it -> Hook.into(Producer.class, producer, it::inProducer))
          .orElse(producer);
    }

    static String output(String topic) {
      return topic + "-copy";
    }

    private static Map<String, Object> consuming(String bootstrap, String topic) {
      Map<String, Object> properties = new HashMap<>();
      properties.put("bootstrap.servers", bootstrap);
      properties.put("group.id", topic);
      properties.put("key.deserializer", StringDeserializer.class);
      properties.put("value.deserializer", StringDeserializer.class);
      properties.put("session.timeout.ms", "6000"); // for which its successor waits
      return properties;
    }

    private static Map<String, Object> producing(String bootstrap, String topic) {
      return Map.of(
          "bootstrap.servers",
          bootstrap,
          "key.serializer",
          StringSerializer.class,
          "value.serializer",
          StringSerializer.class,
          "transactional.id",
          topic);
    }
  }

  /**
   * Where a receiver that copies records from one topic to another stops. When one of each kind has
   * reached its point, their process dies.
   */
  enum CrashPoint {
    BEFORE_CLAIM,
    AFTER_CLAIM,
    IN_HANDLER,
    BEFORE_COMMIT,
    AFTER_COMMIT,
    AFTER_DONE;

    private static final CountDownLatch TO_REACH = new CountDownLatch(values().length);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    /** Does not return: the process is about to die. */
    static void reached() throws InterruptedException {
      TO_REACH.countDown();
      NEVER.await();
    }

    static void awaitAll() throws InterruptedException {
      TO_REACH.await();
    }

    /** Stops in calls of the store. */
    Object inStore(String method, Object[] arguments, Hook.Call call) throws Throwable {
      boolean claims = method.equals("claim") && claimsRecords((List<?>) arguments[0]);
      boolean completes = method.equals("settle") && completes((List<?>) arguments[0]);
      if ((claims && this == BEFORE_CLAIM) || (completes && this == AFTER_COMMIT)) {
        reached();
      }
      Object answers = call.proceed();
      if ((claims && this == AFTER_CLAIM) || (completes && this == AFTER_DONE)) {
        reached();
      }
      return answers;
    }

    private static boolean claimsRecords(List<?> requests) {
      return requests.stream()
          .anyMatch(it -> it instanceof ClaimRequest request
              && RecordPlace.of(request.origin().coordinates()).isPresent());
    }

    private static boolean completes(List<?> settlements) {
      return settlements.stream()
          .anyMatch(it ->
              it instanceof Settlement settlement && settlement.verdict() instanceof Verdict.Done);
    }

    /** Stops in calls of the producer. */
    Object inProducer(String method, Object[] arguments, Hook.Call call) throws Throwable {
      if (method.equals("commitTransaction") && this == BEFORE_COMMIT) {
        reached();
      }
      return call.proceed();
    }
  }
}
