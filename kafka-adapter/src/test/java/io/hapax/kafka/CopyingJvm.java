package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.TransactionalHandler;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The main class of a JVM that copies records, with one receiver for each crash point. */
final class CopyingJvm {

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

  static Process fork(String bootstrap, String prefix, String redis, Path log) throws IOException {
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
    TransactionalHandler.Single<ConsumerRecord<String, String>, KafkaOutputs<String, String>> copy =
        (outputs, delivery) -> {
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
    return crash.map(it -> Hook.into(Producer.class, producer, it::inProducer)).orElse(producer);
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
