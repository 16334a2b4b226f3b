package io.hapax.rocketmq;

import io.hapax.adapter.Handout;
import java.util.HashMap;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientExt;
import org.apache.rocketmq.common.message.MessageExt;

/** The client reads, redelivers and sends back the message itself: a handler gets a copy. */
final class MessageCopies {

  private MessageCopies() {}

  static Handout<MessageExt> of(MessageExt message) {
    return Handout.copied(message, MessageCopies::copy);
  }

  static MessageExt copy(MessageExt message) {
    MessageExt copy;
    if (message instanceof MessageClientExt received) {
      MessageClientExt ofClient = new MessageClientExt();
      ofClient.setOffsetMsgId(received.getOffsetMsgId());
      copy = ofClient;
    } else {
      copy = new MessageExt();
      copy.setMsgId(message.getMsgId());
    }
    copyContent(message, copy);
    copyPlace(message, copy);
    return copy;
  }

  private static void copyContent(MessageExt message, MessageExt copy) {
    copy.setTopic(message.getTopic());
    copy.setFlag(message.getFlag());
    copy.setTransactionId(message.getTransactionId());
    Map<String, String> properties = message.getProperties();
    if (properties != null) {
      MessageAccessor.setProperties(copy, new HashMap<>(properties));
    }
    byte[] body = message.getBody();
    if (body != null) {
      copy.setBody(body.clone());
    }
  }

  private static void copyPlace(MessageExt message, MessageExt copy) {
    copy.setBrokerName(message.getBrokerName());
    copy.setQueueId(message.getQueueId());
    copy.setStoreSize(message.getStoreSize());
    copy.setQueueOffset(message.getQueueOffset());
    copy.setSysFlag(message.getSysFlag());
    copy.setBornTimestamp(message.getBornTimestamp());
    copy.setBornHost(message.getBornHost());
    copy.setStoreTimestamp(message.getStoreTimestamp());
    copy.setStoreHost(message.getStoreHost());
    copy.setCommitLogOffset(message.getCommitLogOffset());
    copy.setBodyCRC(message.getBodyCRC());
    copy.setReconsumeTimes(message.getReconsumeTimes());
    copy.setPreparedTransactionOffset(message.getPreparedTransactionOffset());
  }
}
