package io.hapax.kafka;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.Auditor;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ScannedRange;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.setting.Durations;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/**
 * Reads a topic with a consumer of its own and reports the state of the marks that another consumer
 * has for its messages. Above all, it reports which messages would run again. The audit's consumer
 * belongs to no group. No handler runs. No group is created, joined or moved, and no mark is
 * changed, so the audit may run beside the service.
 *
 * <p>The audit ends where the topic ended when the audit began. It omits records that the broker's
 * retention removes during the audit.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaAudit<K, V> implements TopicAudit {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final List<String> OF_A_GROUP = List.of(
      ConsumerConfig.GROUP_ID_CONFIG,
      ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
      ConsumerConfig.GROUP_PROTOCOL_CONFIG,
      ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

  private final DedupStore store;
  private final AuditSettings<ConsumerRecord<K, V>> settings;
  private final Map<String, Object> properties;
  private final AuditProgress progress;
  private final Duration patience;

  private KafkaAudit(
      DedupStore store,
      AuditSettings<ConsumerRecord<K, V>> settings,
      Map<String, Object> properties,
      AuditProgress progress,
      Duration patience) {
    this.store = store;
    this.settings = settings;
    this.properties = properties;
    this.progress = progress;
    this.patience = patience;
  }

  /**
   * Makes an audit, which may be run more than once.
   *
   * @param store the store of the marks; stays open
   * @param settings the consumer whose marks are read, and the settings of its receiver
   * @param consumerProperties properties of the audit's consumer, with {@code bootstrap.servers}
   *     and the deserializers of that receiver. Group properties are ignored, and nothing is ever
   *     committed. Unless given, {@code isolation.level} is {@code read_committed}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return an audit
   */
  public static <K, V> KafkaAudit<K, V> of(
      DedupStore store,
      AuditSettings<ConsumerRecord<K, V>> settings,
      Map<?, ?> consumerProperties) {
    return new KafkaAudit<>(
        store, settings, withoutGroup(consumerProperties), AuditProgress.NONE, PATIENCE);
  }

  static Map<String, Object> withoutGroup(Map<?, ?> given) {
    Map<String, Object> properties = new HashMap<>();
    given.forEach((name, value) -> properties.put(String.valueOf(name), value));
    OF_A_GROUP.forEach(properties::remove);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, "hapax-audit");
    properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    return Map.copyOf(properties);
  }

  /**
   * Sets a listener that is notified of the audit's progress.
   *
   * @param listener the listener
   * @return a copy
   */
  public KafkaAudit<K, V> withProgress(AuditProgress listener) {
    return new KafkaAudit<>(store, settings, properties, listener, patience);
  }

  /**
   * Sets how long the audit waits for brokers that do not answer. The default is one minute.
   *
   * @param limit positive
   * @return a copy
   */
  public KafkaAudit<K, V> withPatience(Duration limit) {
    Durations.positive("patience", limit);
    return new KafkaAudit<>(store, settings, properties, progress, limit);
  }

  @Override
  public AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    try (BrokerView brokers = BrokerView.open(properties, patience)) {
      return scan(List.copyOf(brokers.ranges(part, from).values()));
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  @Override
  public AuditReport runAgain(ReplayPlan plan) throws InterruptedException {
    return run(plan, ReplayMove::again);
  }

  @Override
  public AuditReport runSkipped(ReplayPlan plan) throws InterruptedException {
    return run(plan, ReplayMove::skipped);
  }

  private AuditReport run(ReplayPlan plan, Function<ReplayMove, ScannedRange> range)
      throws InterruptedException {
    try {
      return scan(plan.moves().stream()
          .map(move -> new PartitionRange(KafkaReplay.partitionOf(move), range.apply(move)))
          .toList());
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private AuditReport scan(List<PartitionRange> ranges) throws InterruptedException {
    try (Auditor<ConsumerRecord<K, V>> auditor =
            new Auditor<>(store, settings, KafkaFingerprints::headers);
        KafkaConsumer<K, V> consumer = new KafkaConsumer<>(properties)) {
      new TopicScan<>(consumer, sinkOf(auditor), progress, patience).read(ranges);
      return auditor.finish(ranges.stream().map(PartitionRange::range).toList());
    }
  }

  private static <K, V> RecordSink<K, V> sinkOf(Auditor<ConsumerRecord<K, V>> auditor) {
    auditor.describedBy(KafkaAudit::headers);
    return new RecordSink<>() {
      @Override
      public void add(ConsumerRecord<K, V> record, String coordinates) throws InterruptedException {
        auditor.add(record, coordinates);
      }

      @Override
      public void addUnreadable(String coordinates, String why) {
        auditor.addUnreadable(coordinates, why);
      }
    };
  }

  /** Returns the names of the record's headers, for a report about a missing id. */
  private static String headers(ConsumerRecord<?, ?> record) {
    List<String> names = new ArrayList<>();
    record.headers().forEach(header -> names.add(header.key()));
    return Auditor.names("headers", names);
  }

  static AuditFailedException failed(KafkaException e) {
    return new AuditFailedException("the topic cannot be read: " + e.getMessage(), e);
  }
}
