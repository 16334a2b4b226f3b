package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.servers.LocalRocketMq;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.impl.CommunicationMode;
import org.apache.rocketmq.client.impl.consumer.PullResultExt;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.sysflag.PullSysFlag;
import org.apache.rocketmq.remoting.protocol.header.PullMessageRequestHeader;

/** Reads queues of RocketMQ's broker, with the internal topics. */
final class RocketMqReader {

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int AT_ONCE = 32;

  /** The group has no member and no offsets. */
  private static final String GROUP = "onlooker";

  private static final int READS_ALL_AND_WRITES_NO_OFFSET =
      PullSysFlag.buildSysFlag(false, false, true, false);

  private final LocalRocketMq server;
  private final RocketMqRequests requests;
  private final RocketMqOffsets offsets;

  RocketMqReader(LocalRocketMq server, RocketMqRequests requests, RocketMqOffsets offsets) {
    this.server = server;
    this.requests = requests;
    this.offsets = offsets;
  }

  /** Returns the messages from an offset to the present end of the queue. */
  List<MessageExt> read(String topic, int queue, long from)
      throws BrokerException, InterruptedException {
    List<MessageExt> messages = new ArrayList<>();
    long end = offsets.end(topic, queue);
    long offset = from;
    while (offset < end) {
      PullResultExt pulled = pull(topic, queue, offset);
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        messages.addAll(MessageDecoder.decodesBatch(
            ByteBuffer.wrap(pulled.getMessageBinary()), true, true, true));
      }
      if (pulled.getNextBeginOffset() <= offset) {
        throw new BrokerException("RocketMQ answers " + pulled.getPullStatus() + " at " + topic
            + '-' + queue + '@' + offset);
      }
      offset = pulled.getNextBeginOffset();
    }
    return messages;
  }

  private PullResultExt pull(String topic, int queue, long offset)
      throws BrokerException, InterruptedException {
    PullMessageRequestHeader header = new PullMessageRequestHeader();
    header.setConsumerGroup(GROUP);
    header.setTopic(topic);
    header.setQueueId(queue);
    header.setQueueOffset(offset);
    header.setMaxMsgNums(AT_ONCE);
    header.setSysFlag(READS_ALL_AND_WRITES_NO_OFFSET);
    header.setCommitOffset(0L);
    header.setSuspendTimeoutMillis(0L);
    header.setSubscription("*");
    header.setSubVersion(0L);
    return (PullResultExt) requests.ask(
        "return messages of " + topic,
        api ->
            api.pullMessage(server.broker(), header, TIMEOUT_MILLIS, CommunicationMode.SYNC, null));
  }
}
