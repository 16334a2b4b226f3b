package io.hapax.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Configures a {@link KafkaDeadLetterPublisher}. Without {@link #topic}, {@link #suffix} or
 * {@link #topics}, the dead letters of {@code orders} go to {@code orders-dlt}.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaDeadLetterBuilder<K, V> {

  private static final String SUFFIX = "-dlt";

  private record Naming<K, V>(
      String setting, Function<? super ConsumerRecord<K, V>, String> topics, boolean oneTopic) {}

  private final Map<String, Object> properties;
  private Optional<Naming<K, V>> naming = Optional.empty();
  private List<String> checked = List.of();
  private Collection<String> sources = List.of();
  private Optional<String> group = Optional.empty();

  KafkaDeadLetterBuilder(Map<String, Object> properties) {
    this.properties = properties;
  }

  /**
   * Sets one topic for all dead letters. Their keys choose the partitions.
   *
   * @param name the topic, which must exist. A record of this topic itself is not dead-lettered,
   *     because its dead letter would be consumed, too: it waits, and {@code problems()} names it
   * @return this
   * @throws IllegalArgumentException if {@link #suffix} or {@link #topics} is set
   */
  public KafkaDeadLetterBuilder<K, V> topic(String name) {
    this.checked = List.of(name);
    return named(new Naming<>("topic", record -> name, true));
  }

  /**
   * Sets the suffix that makes the name of a record's topic the name of its dead-letter topic, for
   * example {@code .DLT}. A dead letter keeps the number of its partition, if the dead-letter topic
   * has such a partition. Otherwise its key chooses the partition.
   *
   * @param text the suffix; {@code -dlt} unless set
   * @return this
   * @throws IllegalArgumentException if the suffix is blank, or {@link #topic} or {@link #topics}
   *     is set
   */
  public KafkaDeadLetterBuilder<K, V> suffix(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("suffix is '" + text + "' but must not be blank");
    }
    return named(new Naming<>("suffix", record -> record.topic() + text, false));
  }

  /**
   * Sets a function that names the dead-letter topic of a record. Partitions are chosen as for
   * {@link #suffix}.
   *
   * @param function returns another topic than that of the record
   * @return this
   * @throws IllegalArgumentException if {@link #topic} or {@link #suffix} is set
   */
  public KafkaDeadLetterBuilder<K, V> topics(
      Function<? super ConsumerRecord<K, V>, String> function) {
    return named(new Naming<>("topics", function, false));
  }

  private KafkaDeadLetterBuilder<K, V> named(Naming<K, V> wanted) {
    naming.filter(it -> !it.setting().equals(wanted.setting())).ifPresent(it -> {
      throw new IllegalArgumentException(
          wanted.setting() + " is set but " + it.setting() + " is set, too: set only one of them");
    });
    this.naming = Optional.of(wanted);
    return this;
  }

  /**
   * Names topics whose dead-letter topics {@link #open} checks. The dead-letter topic of any other
   * topic is checked when it is first needed: while it is missing, the message is not acknowledged
   * and {@code problems()} names the topic.
   *
   * @param topics the topics that the consumer reads; for a function of {@link #topics} it gets
   *     their names alone
   * @return this
   */
  public KafkaDeadLetterBuilder<K, V> sources(Collection<String> topics) {
    this.sources = List.copyOf(topics);
    return this;
  }

  /**
   * Sets the name of the consumer group, for the header {@code kafka_dlt-original-consumer-group}.
   * Without it, dead letters do not have that header.
   *
   * @param name the {@code group.id} of the consumer
   * @return this
   */
  public KafkaDeadLetterBuilder<K, V> consumerGroup(String name) {
    this.group = Optional.of(name);
    return this;
  }

  /**
   * {@return a publisher that is connected to the brokers, to be closed by the caller}
   *
   * @throws IllegalArgumentException if a property breaks its rule, or a dead-letter topic does not
   *     exist or is compacted: brokers would remove a dead letter once another one has its key
   * @throws IllegalStateException if the brokers did not answer
   */
  public KafkaDeadLetterPublisher<K, V> open() {
    Naming<K, V> wanted =
        naming.orElseGet(() -> new Naming<>("suffix", record -> record.topic() + SUFFIX, false));
    DeadLetterTargets<K, V> targets =
        new DeadLetterTargets<>(wanted.topics(), !wanted.oneTopic(), properties);
    checked.forEach(targets::require);
    sources.forEach(it -> targets.require(wanted.topics().apply(placeholder(it))));
    return new KafkaDeadLetterPublisher<>(properties, targets, group);
  }

  @SuppressWarnings("NullAway") // a record without key and value, which the client's types hide
  private static <K, V> ConsumerRecord<K, V> placeholder(String topic) {
    return new ConsumerRecord<>(topic, 0, 0, null, null);
  }
}
