package io.hapax.kafka;

import io.hapax.kafka.internal.GuardedDeserializer;
import java.time.Duration;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A record whose deserializer failed. For want of memory it is read again. */
record UnreadableRecord(boolean isReadAgain) {

  static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(UnreadableRecord.class);
  private static final int LONGEST = 480;

  static UnreadableRecord of(RecordDeserializationException failure) {
    return of(failure.topicPartition() + "@" + failure.offset(), failure);
  }

  /** Logs a failure of a deserializer, and decides whether the record is read again. */
  static UnreadableRecord of(String coordinates, RuntimeException failure) {
    UnreadableRecord record = new UnreadableRecord(GuardedDeserializer.isMomentary(failure));
    if (record.isReadAgain()) {
      LOG.warn("{} could not be deserialized and is read again", coordinates, loggable(failure));
    } else {
      LOG.error("{} cannot be deserialized", coordinates, loggable(failure));
    }
    return record;
  }

  String problem() {
    return isReadAgain
        ? " could not be deserialized for want of memory and is read again"
        : " cannot be deserialized: read byte[] and parse in the handler, so that such a record can"
            + " be dead-lettered";
  }

  /** A line break would look like another log entry. The exception's methods may throw. */
  private static Exception loggable(RuntimeException failure) {
    Throwable thrown = failure.getCause() == null ? failure : failure.getCause();
    try {
      String text = String.valueOf(thrown).replaceAll("\\p{Cntrl}+", " ");
      Exception loggable =
          new SerializationException(text.substring(0, Math.min(text.length(), LONGEST)));
      loggable.setStackTrace(thrown.getStackTrace());
      return loggable;
    } catch (RuntimeException | Error e) {
      return new SerializationException(thrown.getClass().getName());
    }
  }
}
