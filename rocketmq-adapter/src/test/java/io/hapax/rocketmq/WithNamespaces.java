package io.hapax.rocketmq;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;

/** One group and one topic in several namespaces of a broker, which knows them as many. */
@SuppressWarnings("deprecation") // the old kind of namespace is, and still works
abstract class WithNamespaces extends WithConsumers {

  static final String ONE = "one";
  static final String TWO = "two";

  void createTopicIn(String namespace, int queues) {
    createTopic(namespace + '%' + topic, queues);
  }

  void sendIn(String namespace, String... texts) throws Exception {
    for (String text : texts) {
      send(new Message(namespace + '%' + topic, "", text, text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  DefaultMQPushConsumer consumerIn(String namespace) throws MQClientException {
    DefaultMQPushConsumer consumer = clientIn(namespace, new DefaultMQPushConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, ALL);
    return consumer;
  }

  static <C extends ClientConfig> C clientIn(String namespace, C client) {
    client(client).setNamespace(namespace);
    return client;
  }

  /** The state of a message's mark, of the consumer of that name. */
  Optional<MarkState> state(String consumer, String key) {
    return store
        .find(List.of(MessageKey.of(consumer, topic + '/' + key)))
        .get(0)
        .map(Mark::state);
  }
}
