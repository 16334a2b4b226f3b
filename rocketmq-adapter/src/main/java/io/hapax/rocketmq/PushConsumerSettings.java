package io.hapax.rocketmq;

import static org.apache.rocketmq.common.consumer.ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET;
import static org.apache.rocketmq.common.consumer.ConsumeFromWhere.CONSUME_FROM_TIMESTAMP;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.ReceiverPort;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;

/** Settings of a consumer with which messages are lost, or run more often than they have to. */
final class PushConsumerSettings {

  private static final int UNSET = -1;
  private static final int ENOUGH = 1_000;
  private static final int BATCH_SIZE = 32;
  static final Duration FOR_HANDLERS = Duration.ofSeconds(20);

  private PushConsumerSettings() {}

  /**
   * Refuses settings that lose messages. Sets {@code maxReconsumeTimes}, because the broker counts
   * every deferral, and the wait of a shutdown. Returns the warnings.
   */
  static List<String> prepare(DefaultMQPushConsumer consumer, IdempotentReceiver<?> receiver) {
    ReceiverPort.Settings given = receiver.port().settings();
    if (consumer.getMaxReconsumeTimes() == UNSET) {
      consumer.setMaxReconsumeTimes(Integer.MAX_VALUE);
    }
    refusal(consumer, given.maxAttempts()).ifPresent(it -> {
      throw new IllegalArgumentException(it);
    });
    requirePatience(consumer, given.probing());
    if (consumer.getAwaitTerminationMillisWhenShutdown() == 0) {
      consumer.setAwaitTerminationMillisWhenShutdown(FOR_HANDLERS.toMillis());
    }
    return warnings(consumer, receiver);
  }

  /** Returns which setting, as it is now, loses messages. The application can change it later. */
  static Optional<String> refusal(DefaultMQPushConsumer consumer, int attempts) {
    int least = Math.max(ENOUGH, attempts);
    int times = consumer.getMaxReconsumeTimes();
    if (consumer.getMessageModel() == MessageModel.BROADCASTING) {
      return Optional.of("messageModel is BROADCASTING but must be CLUSTERING: all instances would"
          + " share their marks, and the client drops failed messages");
    } else if (!consumer.isClientRebalance()) {
      return Optional.of("clientRebalance is false but must be true: in POP mode the client neither"
          + " renews its hold on a message nor reports that it lost it");
    } else if (times < least) {
      String rule = times == UNSET
          ? "-1 (16 with a concurrent listener) but must be at least "
          : times + " but must be unset or at least ";
      return Optional.of("maxReconsumeTimes is " + rule + least
          + ": the broker counts each deferral of a busy message too, and then dead-letters it"
          + " without a change of its mark. The receiver's retry settings limit the attempts of a"
          + " failed message");
    }
    return Optional.empty();
  }

  /**
   * Raises {@code consumeMessageBatchMaxSize} from the client's default of 1, so that the messages
   * of a call share a call to the store. A handler for one message does not notice.
   */
  static void raiseBatchSize(DefaultMQPushConsumer consumer) {
    if (consumer.getConsumeMessageBatchMaxSize() == 1) {
      consumer.setConsumeMessageBatchMaxSize(BATCH_SIZE);
    }
  }

  private static List<String> warnings(
      DefaultMQPushConsumer consumer, IdempotentReceiver<?> receiver) {
    Duration timeout = Duration.ofMinutes(consumer.getConsumeTimeout());
    ReceiverPort.Settings given = receiver.port().settings();
    Duration twice = given.lease().multipliedBy(2);
    return Stream.of(
            beginning(consumer),
            ownDeadLetters(
                ClientInternals.subscribedTopics(consumer),
                consumer.getConsumerGroup(),
                receiver.consumerName()),
            Optional.of("at least twice the lease " + given.lease())
                .filter(it -> timeout.compareTo(twice) < 0)
                .map(it -> shortTimeout(consumer, timeout, it)),
            given
                .handlerTimeout()
                .filter(limit -> timeout.compareTo(limit) <= 0)
                .map(limit ->
                    shortTimeout(consumer, timeout, "longer than the handlerTimeout " + limit)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static String shortTimeout(
      DefaultMQPushConsumer consumer, Duration timeout, String rule) {
    return "consumeTimeout of group " + consumer.getConsumerGroup() + " is " + timeout
        + " but should be " + rule + ": the client sends back a message that is handled for longer,"
        + " and its copy is deferred as busy";
  }

  /** The client takes each value but these two, also those that are no longer in use, for one. */
  private static Optional<String> beginning(DefaultMQPushConsumer consumer) {
    ConsumeFromWhere where = consumer.getConsumeFromWhere();
    return where == CONSUME_FROM_FIRST_OFFSET || where == CONSUME_FROM_TIMESTAMP
        ? Optional.empty()
        : Optional.of("consumeFromWhere of group " + consumer.getConsumerGroup() + " is " + where
            + ": in a queue without an offset, for example of a new group, it may begin at the end"
            + " and miss earlier messages. Set CONSUME_FROM_FIRST_OFFSET, unless that is"
            + " intended");
  }

  /** A dead letter may have the id of its message, which this consumer knows as dead. */
  static Optional<String> ownDeadLetters(
      Collection<String> topics, String group, String consumerName) {
    return Stream.of(group, consumerName)
        .map(name -> ClientInternals.DEAD_LETTER_PREFIX + name)
        .filter(topics::contains)
        .findFirst()
        .map(topic -> "consumer " + consumerName + " reads its own dead-letter topic " + topic
            + ": a message that it knows as dead does not run there. Read that topic with another"
            + " group and another consumer name, or use ./hapax redrive");
  }

  static Duration patience(DefaultMQPushConsumer consumer) {
    return Duration.ofMinutes(consumer.getConsumeTimeout()).dividedBy(2);
  }

  private static void requirePatience(DefaultMQPushConsumer consumer, Duration probing) {
    if (!probing.isZero() && patience(consumer).compareTo(probing) <= 0) {
      throw new IllegalArgumentException("consumeTimeout is " + consumer.getConsumeTimeout()
          + " minutes but half of it must be longer than " + probing + ", the quiet period and the"
          + " timeout of probe(..): a message in doubt would never run");
    }
  }
}
