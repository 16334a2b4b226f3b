package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.TopicAudit;
import io.hapax.console.operations.Broker;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.rocketmq.RocketMqAudit;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqRedelivery;
import io.hapax.rocketmq.RocketMqRedriver;
import io.hapax.rocketmq.RocketMqReplay;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/** The commands on RocketMQ. */
final class RocketMqBroker implements Broker {

  private final ClientConfig client = new ClientConfig();
  private final @Nullable RPCHook credentials;
  private final AuditSettings<MessageExt> settings;

  @SuppressWarnings("deprecation") // the older kind of namespace is deprecated and still works
  RocketMqBroker(String nameServer, Properties more, ConsumerSettings reading, Duration patience) {
    client.setNamesrvAddr(nameServer);
    Optional.ofNullable(more.getProperty("namespace"))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .ifPresent(client::setNamespace);
    client.setMqClientApiTimeout((int) patience.toMillis());
    client.setUseTLS(Boolean.parseBoolean(more.getProperty("useTLS", "false")));
    this.credentials = credentials(
        more.getProperty("accessKey", "").strip(),
        more.getProperty("secretKey", "").strip());
    this.settings = reading.settings(
        reading.ids(RocketMqBroker::ids, MessageExt::getTopic), RocketMqFingerprints.body());
  }

  /**
   * Returns the credentials; none without a user. With only one half the broker's refusal would be
   * misleading.
   */
  private static @Nullable RPCHook credentials(String user, String secret) {
    if (user.isEmpty() != secret.isEmpty()) {
      throw new IllegalArgumentException("--broker-config has "
          + (user.isEmpty() ? "secretKey but no accessKey" : "accessKey but no secretKey")
          + ": it must have both or none");
    }
    return user.isEmpty() ? null : new AclClientRPCHook(new SessionCredentials(user, secret));
  }

  private static IdExtractor<MessageExt> ids(String where) {
    if (where.equals("key")) {
      return RocketMqIds.key();
    } else if (where.equals("standard")) {
      return RocketMqIds.standard();
    } else if (where.startsWith("header:")) {
      return RocketMqIds.property(where.substring("header:".length()));
    } else if (where.startsWith("value:")) {
      return RocketMqIds.jsonPointer(where.substring("value:".length()));
    }
    throw new IllegalArgumentException("--id is " + where
        + " but must be standard, key, header:PROPERTY, or value:/json/pointer with RocketMQ");
  }

  @Override
  public TopicAudit audit(DedupStore store, AuditProgress progress) {
    RocketMqAudit audit = RocketMqAudit.of(store, settings, client).withProgress(progress);
    return credentials == null ? audit : audit.withCredentials(credentials);
  }

  @Override
  public GroupReplay replay(String group) {
    return credentials == null
        ? RocketMqReplay.of(client, group)
        : RocketMqReplay.of(client, credentials, group);
  }

  @Override
  public Redriver redriver(DedupStore store, RedriveSettings rules) {
    String consumer = settings.consumer();
    return credentials == null
        ? RocketMqRedriver.of(store, consumer, settings.ids(), rules, client)
        : RocketMqRedriver.of(store, consumer, settings.ids(), rules, client, credentials);
  }

  @Override
  public Redelivery redelivery(MarkOperations marks) {
    return credentials == null
        ? RocketMqRedelivery.of(marks, settings.ids(), client)
        : RocketMqRedelivery.of(marks, settings.ids(), client, credentials);
  }
}
