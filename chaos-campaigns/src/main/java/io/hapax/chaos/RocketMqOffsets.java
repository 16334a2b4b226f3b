package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import io.hapax.servers.LocalRocketMq;
import java.util.HashMap;
import java.util.Map;
import org.apache.rocketmq.client.exception.OffsetNotFoundException;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;

/**
 * Reads the progress of a run's group on RocketMQ.
 *
 * <p>A message of the group is in one of three places: in its queue, in the broker's schedule while
 * it waits for a retry, or in the group's retry topic. A retry may return it to the schedule.
 */
final class RocketMqOffsets {

  /** The retry topic has one queue. */
  static final String RETRY_TOPIC = "%RETRY%" + OrderChannel.GROUP;

  /** The schedule has a queue for each delay level. */
  static final String SCHEDULE = TopicValidator.RMQ_SYS_SCHEDULE_TOPIC;

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int DELAY_LEVELS = 18;

  private final LocalRocketMq server;
  private final RocketMqRequests requests;

  RocketMqOffsets(LocalRocketMq server, RocketMqRequests requests) {
    this.server = server;
    this.requests = requests;
  }

  /** Returns the group's offset in each queue of the orders. */
  Map<Integer, Long> byQueue() throws BrokerException, InterruptedException {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int number = 0; number < OrderChannel.PARTITIONS; number++) {
      offsets.put(number, offset(OrderChannel.TOPIC, number));
    }
    return offsets;
  }

  /**
   * Returns the number of messages that the group has not completed, in all three places.
   *
   * <p>The schedule is read before and after the retry topic, so that a message that moves between
   * both is seen.
   */
  long lag() throws BrokerException, InterruptedException {
    long lag = 0;
    for (int number = 0; number < OrderChannel.PARTITIONS; number++) {
      lag += lag(OrderChannel.TOPIC, number);
    }
    long scheduled = ends();
    lag += waiting();
    lag += lag(RETRY_TOPIC, 0);
    return lag + ends() - scheduled;
  }

  private long lag(String topic, int queue) throws BrokerException, InterruptedException {
    return end(topic, queue) - offset(topic, queue);
  }

  /** Returns the end of a queue. */
  long end(String topic, int queue) throws BrokerException, InterruptedException {
    return requests.ask(
        "return the end of " + topic,
        api -> api.getMaxOffset(
            server.broker(), RocketMqRequests.queue(topic, queue), TIMEOUT_MILLIS));
  }

  /** Returns the group's offset in a queue. */
  long offset(String topic, int queue) throws BrokerException, InterruptedException {
    QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
    header.setConsumerGroup(OrderChannel.GROUP);
    header.setTopic(topic);
    header.setQueueId(queue);
    return requests.ask("return the group's offset", api -> {
      try {
        return api.queryConsumerOffset(server.broker(), header, TIMEOUT_MILLIS);
      } catch (OffsetNotFoundException e) {
        return 0L;
      }
    });
  }

  /** Returns the number of messages that were ever put into the schedule. */
  private long ends() throws BrokerException, InterruptedException {
    long ends = 0;
    for (int level = 0; level < DELAY_LEVELS; level++) {
      ends += end(SCHEDULE, level);
    }
    return ends;
  }

  /**
   * Returns the number of messages that wait in the schedule. Only this group retries on the
   * broker.
   */
  private long waiting() throws BrokerException, InterruptedException {
    long waiting = 0;
    for (Map.Entry<Integer, Long> handedOn : handedOn().entrySet()) {
      waiting += end(SCHEDULE, handedOn.getKey()) - handedOn.getValue();
    }
    return waiting;
  }

  /** Returns the offset up to which the broker has delivered each queue of its schedule. */
  Map<Integer, Long> handedOn() throws BrokerException, InterruptedException {
    Map<String, String> figures = requests.ask(
        "return the offsets of its schedule",
        api -> api.getBrokerRuntimeInfo(server.broker(), TIMEOUT_MILLIS).getTable());
    Map<Integer, Long> handedOn = new HashMap<>();
    for (int level = 0; level < DELAY_LEVELS; level++) {
      String offsets = figures.getOrDefault("scheduleMessageOffset_" + (level + 1), "0,0");
      handedOn.put(level, Long.parseLong(offsets.split(",", -1)[0]));
    }
    return handedOn;
  }

  /** Resets the group to the beginning. No member may run. */
  void rewind() throws BrokerException, InterruptedException {
    for (int number = 0; number < OrderChannel.PARTITIONS; number++) {
      UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
      header.setConsumerGroup(OrderChannel.GROUP);
      header.setTopic(OrderChannel.TOPIC);
      header.setQueueId(number);
      header.setCommitOffset(0L);
      requests.ask("reset the group", api -> {
        api.updateConsumerOffset(server.broker(), header, TIMEOUT_MILLIS);
        return header;
      });
    }
  }
}
