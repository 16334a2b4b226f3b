package io.hapax.spring.kafka;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.BatchListenerFailedException;

/**
 * The records of one call of a batch listener. A filter of Spring removes records from the list
 * that it gets, so the listener gets a copy and counts in that.
 */
record PassedBatch(
    List<ConsumerRecord<Object, Object>> records,
    List<ConsumerRecord<Object, Object>> passed,
    boolean filtered) {

  static PassedBatch of(List<ConsumerRecord<Object, Object>> records, boolean filtered) {
    return new PassedBatch(List.copyOf(records), new ArrayList<>(records), filtered);
  }

  /**
   * Returns the number of records before an index of the listener. The index behind the last record
   * means all records. If a filter made a new list, that list is unknown: the index is never too
   * high, and the records behind it are redelivered.
   */
  int before(int index) {
    if (!filtered || passed.size() == records.size() || index < 0 || index > passed.size()) {
      return index;
    }
    return index == passed.size() ? records.size() : records.indexOf(passed.get(index));
  }

  int before(BatchListenerFailedException failed) {
    if (failed.getRecord() != null) {
      return Math.max(records.indexOf(failed.getRecord()), 0);
    }
    int index = failed.getIndex();
    return index < 0 || index >= passed.size() ? 0 : before(index);
  }
}
