package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Checks topics for a container that starts its consumers itself, for example one of Spring. The
 * checks are those of {@link KafkaReceiver} and {@link KafkaDeadLetterPublisher}; the container
 * decides what follows from a result. A request to the brokers takes 5 s at most. Thread-safe.
 */
public final class KafkaTopicCheck implements AutoCloseable {

  private final BrokerView brokers;

  private KafkaTopicCheck(BrokerView brokers) {
    this.brokers = brokers;
  }

  /**
   * {@return a check that connects to the brokers and does not wait for them; the caller closes it}
   *
   * @param consumerProperties properties of a consumer, with {@code bootstrap.servers}
   * @throws KafkaException if the properties do not make a valid client
   */
  public static KafkaTopicCheck connect(Map<?, ?> consumerProperties) {
    return new KafkaTopicCheck(
        BrokerView.open(ConsumerSettings.named(consumerProperties), StartChecks.TIMEOUT));
  }

  /**
   * {@return the topics that do not exist}
   *
   * @param topics some topics
   * @throws TimeoutException if the brokers do not answer in time
   * @throws KafkaException if they refuse to answer, or the thread was interrupted
   */
  public List<String> missing(Collection<String> topics) {
    return answer(() -> {
      List<String> missing = new ArrayList<>();
      for (String topic : topics) {
        if (brokers.partitions(topic).isEmpty()) {
          missing.add(topic);
        }
      }
      return missing;
    });
  }

  /**
   * {@return a warning for each topic that can be replayed from before the dedup window} It names
   * the topic, its setting and both times, and has no full stop.
   *
   * @param topics topics that exist
   * @param retention how long the store keeps marks
   * @throws TimeoutException if the brokers do not answer in time
   * @throws KafkaException if they refuse to answer, or the thread was interrupted
   */
  public List<String> replayWarnings(Collection<String> topics, Duration retention) {
    return answer(() -> new ReplayHorizon(retention).warnings(brokers, topics));
  }

  /** Waits for brokers. */
  private interface Request {
    List<String> answer() throws InterruptedException;
  }

  private static List<String> answer(Request request) {
    try {
      return request.answer();
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof java.util.concurrent.TimeoutException) {
        throw new TimeoutException("no broker has answered within " + StartChecks.TIMEOUT, e);
      }
      throw e.getCause() instanceof KafkaException refusal ? refusal : new KafkaException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e); // keeps the interruption
    }
  }

  /** Closes the connection. */
  @Override
  public void close() {
    brokers.close();
  }
}
