package io.hapax.kafka;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Share groups of the real broker. */
final class ShareGroups {

  private ShareGroups() {}

  /** Changes settings of a group, which need not exist yet. */
  static void configure(String group, Map<String, String> settings) throws Exception {
    Broker.configure(new ConfigResource(ConfigResource.Type.GROUP, group), settings);
  }

  /** Lets a group begin at the beginning, with locks of two seconds. */
  static void prepare(String group) throws Exception {
    configure(
        group,
        Map.of("share.auto.offset.reset", "earliest", "share.record.lock.duration.ms", "2000"));
  }

  /** How many records of partition 0 are not accepted, -1 if the broker does not know it. */
  static long lag(String group, String topic) throws Exception {
    var info = Broker.ADMIN
        .listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
        .partitionsToOffsetInfo(group)
        .get(30, TimeUnit.SECONDS)
        .get(new TopicPartition(topic, 0));
    return info == null ? -1 : info.lag().orElse(-1L);
  }
}
