package io.hapax.rocketmq;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the deferred messages of a call back to the broker, each by itself, and no settled message.
 *
 * <p>The client itself sends all messages behind one index of a call back, at one delay level. A
 * settled message behind a failing one would then be redelivered with each attempt. So the client
 * sends back only the end of a call, if all its messages wait at one level.
 *
 * <p>If a call holds several copies of a message, one of them is sent back. A consumer that dies or
 * loses the queue before its offset is written leaves two copies with the broker: the original, and
 * the one that was sent back. Both are redelivered, and each such event would double them again.
 */
final class RetrySender {

  private static final Logger LOG = LoggerFactory.getLogger(RetrySender.class);

  /** The level of a settled message, and of a copy of one that is sent back already. */
  private static final int STAYS = 0;

  private final DefaultMQPushConsumer consumer;
  private final ToIntFunction<Duration> levels;

  RetrySender(DefaultMQPushConsumer consumer, ToIntFunction<Duration> levels) {
    this.consumer = consumer;
    this.levels = levels;
  }

  /** The end of a call that the client itself sends back. Earlier messages are settled. */
  record Rest(int from, int level) {}

  /** Returns what the client itself has to send back; empty if there is nothing. */
  Optional<Rest> sendBack(List<MessageExt> messages, List<Outcome> outcomes, MessageQueue queue) {
    if (outcomes.stream().allMatch(Outcome::mayAcknowledge)) {
      return Optional.empty();
    }
    int[] wanted = levels(messages, outcomes);
    int end = beginOfEnd(wanted);
    int from = 0; // the client itself retries the messages from here on
    while (from < end
        && (wanted[from] == STAYS || isSentBack(messages.get(from), wanted[from], queue))) {
      from++;
    }
    if (from == wanted.length) {
      return Optional.empty();
    }
    if (Thread.currentThread().isInterrupted()) {
      // The client would count the first of the rest as sent back, and acknowledge it.
      ClientInternals.giveUp(consumer, queue);
    }
    return Optional.of(new Rest(from, wanted[from]));
  }

  private int[] levels(List<MessageExt> messages, List<Outcome> outcomes) {
    int[] wanted = new int[outcomes.size()];
    Set<ProducedMessage> returning = new HashSet<>();
    for (int i = 0; i < wanted.length; i++) {
      boolean again = outcomes.get(i) instanceof Deferred
          && ProducedMessage.of(messages.get(i)).map(returning::add).orElse(true);
      wanted[i] = again ? levels.applyAsInt(((Deferred) outcomes.get(i)).after()) : STAYS;
    }
    return wanted;
  }

  private static int beginOfEnd(int[] wanted) {
    int last = wanted[wanted.length - 1];
    int from = wanted.length;
    while (last != STAYS && from > 0 && wanted[from - 1] == last) {
      from--;
    }
    return from;
  }

  /**
   * Returns whether the broker has the copy: only then the original is acknowledged. The client
   * skips a message that the consumer no longer holds.
   */
  @SuppressWarnings("deprecation") // it does what the client does itself, and nothing replaces it
  private boolean isSentBack(MessageExt message, int level, MessageQueue queue) {
    try {
      if (!ClientInternals.holds(consumer, queue, message)) {
        return false;
      }
      consumer.sendMessageBack(message, level, queue.getBrokerName());
      return true;
    } catch (RemotingException | MQBrokerException | MQClientException | RuntimeException e) {
      LOG.warn("{} was not sent back; the client will try it", message.getMsgId(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    }
    return false;
  }
}
