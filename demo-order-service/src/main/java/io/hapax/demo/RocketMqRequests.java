package io.hapax.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** Requests to RocketMQ's broker over a producer's connection, asked again while it is away. */
final class RocketMqRequests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 50;

  private final DefaultMQProducer producer;

  RocketMqRequests(DefaultMQProducer producer) {
    this.producer = producer;
  }

  /** A broker that was just started again may not be reached, or know everything, at once. */
  <A> A ask(String request, Request<A> asked) throws BrokerException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return asked.of(api());
      } catch (RemotingException
          | MQBrokerException
          | MQClientException
          | IllegalStateException e) {
        if (!passes(e) || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new BrokerException("RocketMQ did not " + request, e);
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  /**
   * A producer that has not heard of the broker yet throws what has no cause; one whose name server
   * does not answer wraps the reason.
   */
  private static boolean passes(Exception e) {
    return !(e instanceof IllegalStateException) || e.getCause() instanceof RemotingException;
  }

  @SuppressWarnings("deprecation") // announced to go, and still the only way without its tools
  private MQClientAPIImpl api() {
    return producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
  }

  static MessageQueue queue(String topic, int number) {
    return new MessageQueue(topic, "local", number);
  }

  /** What the broker is asked for. */
  @FunctionalInterface
  interface Request<A> {

    A of(MQClientAPIImpl api)
        throws RemotingException, MQBrokerException, MQClientException, InterruptedException;
  }
}
