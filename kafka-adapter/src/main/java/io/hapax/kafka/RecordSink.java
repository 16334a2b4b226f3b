package io.hapax.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes what a {@link TopicScan} reads, in the order of its partition. */
interface RecordSink<K, V> {

  void add(ConsumerRecord<K, V> record, String coordinates) throws InterruptedException;

  void addUnreadable(String coordinates, String why);
}
