package io.hapax.kafka;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/** Where a record lies, as the receiver writes it in coordinates. */
record RecordPlace(TopicPartition partition, long offset) {

  private static final Pattern COORDINATES = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

  /** Empty if it is no place of a record. */
  static Optional<RecordPlace> of(String coordinates) {
    Matcher found = COORDINATES.matcher(coordinates);
    return found.matches()
        ? Optional.of(new RecordPlace(
            new TopicPartition(found.group(1), Integer.parseInt(found.group(2))),
            Long.parseLong(found.group(3))))
        : Optional.empty();
  }
}
