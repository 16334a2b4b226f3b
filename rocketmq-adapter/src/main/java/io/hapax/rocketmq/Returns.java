package io.hapax.rocketmq;

import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each message of a call that has to come again back by itself, and nothing that is settled.
 *
 * <p>A client can be told one place in a call, behind which it sends everything back, at one delay
 * level. If that were used for all, what was settled behind a failing message would come again with
 * each of its attempts, and a copy more with each crash in between. So the client is left only what
 * is the same there: the end of a call, if all of it waits at one level.
 */
final class Returns {

  private static final Logger LOG = LoggerFactory.getLogger(Returns.class);

  private final DefaultMQPushConsumer consumer;
  private final ToIntFunction<Duration> levels;

  /**
   * Returns through a consumer.
   *
   * @param levels the delay level whose delay is not below a wait
   */
  Returns(DefaultMQPushConsumer consumer, ToIntFunction<Duration> levels) {
    this.consumer = consumer;
    this.levels = levels;
  }

  /**
   * What is left to the client: to send the rest of a call back.
   *
   * @param from the first message of the rest; all before are settled, or with the broker again
   * @param level the delay level
   */
  record Rest(int from, int level) {}

  /**
   * Sends back what has to come again, but for the rest.
   *
   * @param messages of one call, all of them from that broker
   * @param outcomes of each
   * @return the rest; empty if there is none
   */
  Optional<Rest> sendBack(List<MessageExt> messages, List<Outcome> outcomes, String broker) {
    Rest rest = rest(outcomes);
    for (int i = 0; i < rest.from(); i++) {
      if (outcomes.get(i) instanceof Deferred deferred) {
        int level = levels.applyAsInt(deferred.after());
        if (!isSentBack(messages.get(i), level, broker)) {
          return Optional.of(new Rest(i, level)); // the client tries it again, and in other ways
        }
      }
    }
    return Optional.of(rest).filter(it -> it.from() < messages.size());
  }

  private Rest rest(List<Outcome> outcomes) {
    int from = outcomes.size();
    int level = 0;
    while (from > 0 && outcomes.get(from - 1) instanceof Deferred deferred) {
      int its = levels.applyAsInt(deferred.after());
      if (from < outcomes.size() && its != level) {
        break;
      }
      level = its;
      from--;
    }
    return new Rest(from, level);
  }

  /** Says whether the broker has stored the copy; the original is acknowledged only then. */
  @SuppressWarnings("deprecation") // it does what the client does itself, and nothing replaces it
  private boolean isSentBack(MessageExt message, int level, String broker) {
    try {
      consumer.sendMessageBack(message, level, broker);
      return true;
    } catch (RemotingException | MQBrokerException | MQClientException | RuntimeException e) {
      LOG.warn("{} was not sent back; the client will try it", message.getMsgId(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the client shuts down
    }
    return false;
  }
}
