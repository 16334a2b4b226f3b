package io.hapax.operations;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.operations.kafka.KafkaTestBroker;
import io.hapax.operations.rocketmq.RocketMqTestBroker;
import io.hapax.store.DedupStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A real broker. Ids are keys of messages. */
public interface TestBroker {

  /** A message; one without an id has an empty one. */
  record Sent(String id, String body, Map<String, String> headers) {

    public Sent(String id) {
      this(id, "body of " + id, Map.of());
    }
  }

  /** The brokers that each operation is tested on. */
  static Stream<TestBroker> all() {
    return Stream.of(KafkaTestBroker.INSTANCE, RocketMqTestBroker.INSTANCE);
  }

  /** Creates a topic with a name of its own. */
  String topic(int parts);

  /** Returns the name of a partition or queue. */
  String place(String topic, int part);

  /** Sends messages that can be read when this returns. */
  void send(String topic, int part, List<Sent> messages) throws Exception;

  default void send(String topic, int part, String... ids) throws Exception {
    send(topic, part, Arrays.stream(ids).map(Sent::new).toList());
  }

  /** Reads all messages of a partition or queue. */
  List<Sent> read(String topic, int part) throws Exception;

  /** Waits until a part has this many: a broker acknowledges a message before it can be read. */
  default List<Sent> read(String topic, int part, int count) {
    return await().atMost(30, SECONDS).until(() -> read(topic, part), it -> it.size() >= count);
  }

  /** Returns the operations of the consumer {@code orders}. */
  Broker operations();

  /** Runs a service of that consumer, as a new group reads it from the beginning. */
  AutoCloseable service(String topic, String group, DedupStore store, Consumer<String> effects)
      throws Exception;

  /** Makes a group that the broker knows, and that has read nothing. */
  String group() throws Exception;

  void commit(String group, String topic, int part, long offset) throws Exception;

  /** Returns the committed offset; -1 if there is none. */
  long committed(String group, String topic, int part) throws Exception;

  /** Returns the groups that the broker knows and that no test has made. */
  Set<String> groups() throws Exception;

  /** Publishes the dead-letter record of a message, with headers beside those of its death. */
  void bury(String letters, DeadLetter<Sent> letter, String topic, Map<String, String> headers)
      throws Exception;

  /** Returns the dead letter with the message as its broker delivers it. */
  static <M> DeadLetter<M> of(M message, DeadLetter<Sent> letter) {
    return new DeadLetter<>(
        message,
        letter.consumer(),
        letter.messageId(),
        letter.coordinates(),
        letter.attempts(),
        letter.kind(),
        letter.detail(),
        letter.inDoubt());
  }

  /** Deletes a topic, and returns when the brokers do not know it any more. */
  void delete(String topic) throws Exception;

  /** Makes the broker refuse messages for a topic, or take them again. */
  void refuse(String topic, boolean refused) throws Exception;
}
