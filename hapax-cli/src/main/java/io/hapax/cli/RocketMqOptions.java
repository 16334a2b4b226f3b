package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.operations.Broker;
import io.hapax.operations.rocketmq.RocketMqOperations;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.MessageExt;

/** Reads the options of a command on RocketMQ. */
final class RocketMqOptions {

  private RocketMqOptions() {}

  @SuppressWarnings("deprecation") // the older kind of namespace is deprecated and still works
  static Broker of(String nameServer, Properties more, ReadingSettings reading, Duration patience) {
    ClientConfig client = new ClientConfig();
    client.setNamesrvAddr(nameServer);
    Optional.ofNullable(more.getProperty("namespace"))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .ifPresent(client::setNamespace);
    client.setMqClientApiTimeout((int) patience.toMillis());
    client.setUseTLS(Boolean.parseBoolean(more.getProperty("useTLS", "false")));
    RocketMqOperations unsigned = RocketMqOperations.of(
        reading.settings(
            reading.ids(RocketMqOptions::ids, MessageExt::getTopic), RocketMqFingerprints.body()),
        client);
    return credentials(
            more.getProperty("accessKey", "").strip(),
            more.getProperty("secretKey", "").strip())
        .map(unsigned::withCredentials)
        .orElse(unsigned);
  }

  /**
   * Returns the credentials; none without a user. With only one half the broker's refusal would be
   * misleading.
   */
  private static Optional<AclClientRPCHook> credentials(String user, String secret) {
    if (user.isEmpty() != secret.isEmpty()) {
      throw new IllegalArgumentException("--broker-config has "
          + (user.isEmpty() ? "secretKey but no accessKey" : "accessKey but no secretKey")
          + ": it must have both or none");
    }
    return user.isEmpty()
        ? Optional.empty()
        : Optional.of(new AclClientRPCHook(new SessionCredentials(user, secret)));
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
}
