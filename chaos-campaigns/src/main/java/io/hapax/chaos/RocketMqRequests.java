package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * Sends requests to RocketMQ's broker over a producer's connection, and repeats them while it is
 * away.
 */
final class RocketMqRequests {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 50;

  private final DefaultMQProducer producer;

  RocketMqRequests(DefaultMQProducer producer) {
    this.producer = producer;
  }

  /**
   * Sends a request. A broker that was just restarted may be unreachable or incomplete at first, so
   * the request is repeated.
   */
  <A> A ask(String request, Request<A> asked) throws BrokerException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return asked.of(api());
      } catch (RemotingException
          | MQBrokerException
          | MQClientException
          | IllegalStateException e) {
        if (!passes(e) || System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new BrokerException("RocketMQ did not " + request, e);
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /**
   * Returns whether the error is temporary. A producer that does not know the broker yet throws an
   * exception without a cause. If the name server does not answer, the exception has a cause.
   */
  private static boolean passes(Exception e) {
    return !(e instanceof IllegalStateException) || e.getCause() instanceof RemotingException;
  }

  @SuppressWarnings("deprecation") // deprecated, and still the only way without RocketMQ's tools
  private MQClientAPIImpl api() {
    return producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
  }

  static MessageQueue queue(String topic, int number) {
    return new MessageQueue(topic, "local", number);
  }

  /** A request to the broker. */
  @FunctionalInterface
  interface Request<A> {

    A of(MQClientAPIImpl api)
        throws RemotingException, MQBrokerException, MQClientException, InterruptedException;
  }
}
