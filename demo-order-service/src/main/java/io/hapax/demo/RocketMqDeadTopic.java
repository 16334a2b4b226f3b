package io.hapax.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** Where a run's messages on RocketMQ go that fail for good: the group's own dead-letter topic. */
final class RocketMqDeadTopic {

  private static final String NAME = "%DLQ%" + OrderBroker.GROUP;
  private static final int AT_ONCE = 32;

  private RocketMqDeadTopic() {}

  /** Reads it from its beginning to where it ends now. A consumer has made it at its start. */
  @SuppressWarnings("deprecation") // the only client that is asked for one offset after the other
  static List<DeadOrder> read(String nameServer) throws BrokerException, InterruptedException {
    DefaultMQPullConsumer reader =
        RocketMqClients.quick(new DefaultMQPullConsumer("undertaker"), nameServer);
    try {
      reader.start();
      List<DeadOrder> dead = new ArrayList<>();
      for (MessageQueue queue : reader.fetchSubscribeMessageQueues(NAME)) {
        read(reader, queue, dead);
      }
      return dead;
    } catch (MQClientException | RemotingException | MQBrokerException e) {
      throw new BrokerException("RocketMQ did not hand out its dead letters", e);
    } finally {
      reader.shutdown();
    }
  }

  @SuppressWarnings("deprecation") // the same
  private static void read(DefaultMQPullConsumer reader, MessageQueue queue, List<DeadOrder> dead)
      throws BrokerException, MQClientException, RemotingException, MQBrokerException,
          InterruptedException {
    long end = reader.maxOffset(queue);
    long offset = reader.minOffset(queue);
    while (offset < end) {
      PullResult pulled = reader.pull(queue, "*", offset, AT_ONCE);
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        pulled.getMsgFoundList().forEach(message -> dead.add(dead(message)));
      }
      if (pulled.getNextBeginOffset() <= offset) {
        throw new BrokerException(
            "RocketMQ answers " + pulled.getPullStatus() + " at " + queue + '@' + offset);
      }
      offset = pulled.getNextBeginOffset();
    }
  }

  private static DeadOrder dead(MessageExt message) {
    return DeadOrder.of(
        message.getBody(), name -> Optional.ofNullable(message.getUserProperty(name)));
  }
}
