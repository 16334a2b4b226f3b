package io.hapax.operations.rocketmq;

import io.hapax.mark.Fingerprint;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.ReadingAudit;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.internal.Tracing;
import io.hapax.operations.redrive.LetterRedriver;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;

/**
 * Audits, replays, redrives and redeliveries on RocketMQ. Topics are read as the group of
 * RocketMQ's own tools ({@code TOOLS_CONSUMER}): no group is created or moved, so they may be read
 * beside the service. An audit judges messages in the retry topic of the group by their originals.
 *
 * <p>A message returns to the topic that it was sent to, also if it died in the group's retry
 * topic, and to the queue that it came from if that queue is known and still exists. It keeps its
 * body, keys, tags, properties and {@code UNIQ_KEY}, and gets a new birth time. Topics are named
 * without a namespace.
 *
 * <p>A replay refuses a group with connected clients. The brokers do not refuse it themselves: a
 * client that connects during the move may write its own offset over it. If RocketMQ's own tools
 * have reset the group, the broker ignores every other offset until the group has read again, and
 * still answers that all is well. Therefore the group is checked once more after the move. Messages
 * in the group's retry topic are not moved.
 */
public final class RocketMqOperations implements Broker {

  private final AuditSettings<MessageExt> settings;
  private final ClientConfig like;
  private final Optional<RPCHook> credentials;

  private RocketMqOperations(
      AuditSettings<MessageExt> settings, ClientConfig like, Optional<RPCHook> credentials) {
    this.settings = settings;
    this.like = like;
    this.credentials = credentials;
  }

  /**
   * {@return the operations, without a connection to a broker}
   *
   * @param settings the consumer and the way to read its messages; with a wrapped listener its name
   *     is that of the group, within its namespace
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started, and its instance name is not taken
   */
  public static RocketMqOperations of(AuditSettings<MessageExt> settings, ClientConfig like) {
    return new RocketMqOperations(settings, like, Optional.empty());
  }

  /**
   * {@return a copy with credentials}
   *
   * @param hook the hook that signs requests
   */
  public RocketMqOperations withCredentials(RPCHook hook) {
    return new RocketMqOperations(settings, like, Optional.of(hook));
  }

  private ToolsClient connect() {
    return ToolsClient.open(like, credentials.orElse(null));
  }

  @Override
  public TopicAudit audit(MarkAdmin store, AuditProgress progress) {
    return new ReadingAudit<>(
        store,
        settings,
        () -> new QueueReader(connect()),
        new ReadingAudit.Fields<>(
            RocketMqOperations::digest, RocketMqOperations::names, MessageExt::getBornTimestamp),
        progress);
  }

  /** Returns a digest of tag, keys and all properties that remain if a message is sent again. */
  static Fingerprint digest(MessageExt message) {
    Fingerprint digest = Fingerprint.NONE;
    for (Map.Entry<String, String> property : new TreeMap<>(properties(message)).entrySet()) {
      if (DeadLetterMessage.isTheirs(property.getKey()) && !Tracing.isTracing(property.getKey())) {
        digest =
            digest.and(property.getKey(), property.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return digest;
  }

  static Text names(MessageExt message) {
    return Tracing.names("properties", properties(message).keySet());
  }

  /** The client decodes a message without properties to one whose map is null. */
  private static Map<String, String> properties(MessageExt message) {
    return message.getProperties() == null ? Map.of() : message.getProperties();
  }

  @Override
  public GroupReplay replay(String group) {
    if (group.isBlank()) {
      throw Text.of("group.blank").refusal();
    }
    ToolsClient brokers = connect();
    return new GroupReplay(new RocketMqGroup(brokers, brokers.wireName(group)));
  }

  @Override
  public Redriver redriver(DedupStore store) {
    return new LetterRedriver<>(
        new RocketMqLetters(new QueueReader(connect())),
        store,
        settings.consumer(),
        settings.ids());
  }
}
