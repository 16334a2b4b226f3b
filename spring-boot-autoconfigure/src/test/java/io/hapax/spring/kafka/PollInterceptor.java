package io.hapax.spring.kafka;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Makes each poll anew. */
abstract class PollInterceptor<V> implements ConsumerInterceptor<String, V> {

  abstract Map<TopicPartition, List<ConsumerRecord<String, V>>> altered(
      Map<TopicPartition, List<ConsumerRecord<String, V>>> records);

  @Override
  @SuppressWarnings("deprecation") // kafka-clients 3.9 has no other constructor
  public ConsumerRecords<String, V> onConsume(ConsumerRecords<String, V> polled) {
    Map<TopicPartition, List<ConsumerRecord<String, V>>> records = new LinkedHashMap<>();
    polled.partitions().forEach(each -> records.put(each, polled.records(each)));
    return new ConsumerRecords<>(altered(records));
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}

  @Override
  public void configure(Map<String, ?> configs) {}
}
