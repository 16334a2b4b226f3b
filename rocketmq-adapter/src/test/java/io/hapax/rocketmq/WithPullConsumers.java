package io.hapax.rocketmq;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.store.DedupStore;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;

/** The same for consumers that pull. */
abstract class WithPullConsumers extends WithConsumers {

  void record(Delivery<MessageExt> delivery) {
    effects.add(body(delivery.message()));
  }

  static String[] texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  DefaultLitePullConsumer pullConsumer(String ofGroup) {
    DefaultLitePullConsumer consumer = client(new DefaultLitePullConsumer(ofGroup));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    return consumer;
  }

  RocketMqPullReceiver pull(MessageHandler<MessageExt> handler) throws MQClientException {
    return pull(store, handler);
  }

  RocketMqPullReceiver pull(DedupStore marks, MessageHandler<MessageExt> handler)
      throws MQClientException {
    DefaultLitePullConsumer consumer = pullConsumer(group);
    IdempotentReceiver<MessageExt> receiver =
        open(builder(RocketMqDeadLetterPublisher.of(consumer)).leased(marks, handler));
    return open(
        RocketMqPullReceiver.builder(receiver, consumer).subscribe(topic, ALL).start());
  }

  /** What the broker knows, asked by no member: one that comes or goes has others write offsets. */
  long stored(int queue) throws Exception {
    QueryConsumerOffsetRequestHeader question = new QueryConsumerOffsetRequestHeader();
    question.setConsumerGroup(group);
    question.setTopic(topic);
    question.setQueueId(queue);
    return operator().api().queryConsumerOffset(broker(), question, 10_000);
  }

  /** What the broker knows of the group. */
  long committed(int queue) throws Exception {
    DefaultLitePullConsumer reader = pullConsumer(group);
    reader.start();
    try {
      return reader.committed(new MessageQueue(topic, "local", queue));
    } finally {
      reader.shutdown();
    }
  }
}
