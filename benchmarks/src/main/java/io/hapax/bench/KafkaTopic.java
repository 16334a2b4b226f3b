package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A topic whose record keys are ids. They are the ids of {@link Messages#known}, so that a store
 * can be filled with their marks.
 *
 * @param name its name
 * @param records the number of records
 * @param partitions the number of partitions
 * @param valueBytes the length of a value
 */
record KafkaTopic(String name, int records, int partitions, int valueBytes) {

  KafkaTopic {
    StoresSettings.between("--records", records, 100, 10_000_000);
    StoresSettings.between("--partitions", partitions, 1, 64);
    StoresSettings.between("--value-bytes", valueBytes, Long.BYTES, 100_000);
  }

  /** Creates the topic and writes its records. */
  void fill(LocalKafka kafka) throws Exception {
    kafka.createTopic(name, partitions);
    TopicWriter.write(kafka, records, number -> record(number, number));
  }

  /** Returns another topic with such records. */
  KafkaTopic named(String other) {
    return new KafkaTopic(other, records, partitions, valueBytes);
  }

  /**
   * Returns a record.
   *
   * @param number counts the records
   * @param stamp the first bytes of the value, see {@link #stamp}
   */
  ProducerRecord<byte[], byte[]> record(long number, long stamp) {
    byte[] value = ByteBuffer.allocate(valueBytes).putLong(stamp).array();
    byte[] key = Messages.knownId(number).getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(name, (int) (number % partitions), key, value);
  }

  /** Returns the stamp of a record's value. */
  static long stamp(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }
}
