package io.hapax.demo.spring;

import io.hapax.ReceiverListener;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderWatch;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/**
 * The parts of the application that its starter determines.
 *
 * @param consumer the consumer in the rows of the ledger
 * @param rocketMq makes the settings of RocketMQ's consumer that the annotation does not have
 */
public record SpringParts(
    long consumer,
    DataSource database,
    Mode mode,
    Map<String, Object> kafka,
    Consumer<DefaultMQPushConsumer> rocketMq,
    OrderWatch watch,
    ReceiverListener listener) {

  public SpringParts {
    kafka = Map.copyOf(kafka);
  }
}
