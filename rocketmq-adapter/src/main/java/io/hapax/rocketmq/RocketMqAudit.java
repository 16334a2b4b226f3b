package io.hapax.rocketmq;

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
import io.hapax.store.DedupStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic once more, queue by queue, and says what the marks of a consumer say of its
 * messages: above all which would run again. No handler runs, no group is made or moved, and no
 * mark is changed, so that it may run beside the service.
 *
 * <p>It reads up to where the topic ends when it begins, as the group of RocketMQ's own tools
 * ({@code TOOLS_CONSUMER}). Messages in the group's retry topic are judged by their originals.
 */
public final class RocketMqAudit implements TopicAudit {

  private final DedupStore store;
  private final AuditSettings<MessageExt> settings;
  private final ClientConfig like;
  private final @Nullable RPCHook credentials;
  private final AuditProgress progress;

  private RocketMqAudit(
      DedupStore store,
      AuditSettings<MessageExt> settings,
      ClientConfig like,
      @Nullable RPCHook credentials,
      AuditProgress progress) {
    this.store = store;
    this.settings = settings;
    this.like = like;
    this.credentials = credentials;
    this.progress = progress;
  }

  /**
   * An audit, to be run once or more often.
   *
   * @param store where the marks are; stays open
   * @param settings whose marks, and how that consumer's receiver was built
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started, and its instance name is not taken
   * @return an audit
   */
  public static RocketMqAudit of(
      DedupStore store, AuditSettings<MessageExt> settings, ClientConfig like) {
    return new RocketMqAudit(store, settings, like, null, AuditProgress.NONE);
  }

  /**
   * With credentials.
   *
   * @param hook the hook that signs requests
   * @return a copy
   */
  public RocketMqAudit withCredentials(RPCHook hook) {
    return new RocketMqAudit(store, settings, like, hook, progress);
  }

  /**
   * Returns a copy that reports its progress to a listener.
   *
   * @param listener the listener
   * @return a copy
   */
  public RocketMqAudit withProgress(AuditProgress listener) {
    return new RocketMqAudit(store, settings, like, credentials, listener);
  }

  @Override
  public AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    try (BrokerView brokers = BrokerView.open(like, credentials)) {
      return scan(brokers, brokers.ranges(part, from).values());
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
    Map<String, ScannedRange> wanted = new HashMap<>();
    plan.moves().forEach(move -> wanted.put(move.place(), range.apply(move)));
    try (BrokerView brokers = BrokerView.open(like, credentials)) {
      return scan(
          brokers,
          brokers.ranges(plan.part(), StartingPoint.beginning()).keySet().stream()
              .filter(queue -> wanted.containsKey(Coordinates.queueName(queue)))
              .map(queue -> new QueueRange(queue, range(wanted, queue)))
              .toList());
    }
  }

  private static ScannedRange range(Map<String, ScannedRange> wanted, MessageQueue queue) {
    String place = Coordinates.queueName(queue);
    return wanted.getOrDefault(place, new ScannedRange(place, 0, 0));
  }

  private AuditReport scan(BrokerView brokers, Collection<QueueRange> ranges)
      throws InterruptedException {
    try (Auditor<MessageExt> auditor =
        new Auditor<>(store, settings, RocketMqFingerprints::properties)) {
      auditor.describedBy(
          message -> Auditor.names("properties", message.getProperties().keySet()));
      new QueueScan(brokers, auditor::add, progress).read(ranges);
      return auditor.finish(List.copyOf(ranges.stream().map(QueueRange::range).toList()));
    }
  }
}
