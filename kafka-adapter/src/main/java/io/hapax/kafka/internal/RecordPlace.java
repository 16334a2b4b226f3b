package io.hapax.kafka.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The place of a record in coordinates. The id of its topic may be empty. */
public record RecordPlace(TopicPartition partition, long offset, String topicId) {

  private static final String TOPIC_ID = " of ";
  private static final Pattern COORDINATES =
      Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})(?:" + TOPIC_ID + "([\\w-]{22}))?");

  public RecordPlace(TopicPartition partition, long offset) {
    this(partition, offset, "");
  }

  public static RecordPlace of(ConsumerRecord<?, ?> record) {
    return new RecordPlace(new TopicPartition(record.topic(), record.partition()), record.offset());
  }

  public static Optional<RecordPlace> of(String coordinates) {
    Matcher found = COORDINATES.matcher(coordinates);
    return found.matches()
        ? Optional.of(new RecordPlace(
            new TopicPartition(found.group(1), Integer.parseInt(found.group(2))),
            Long.parseLong(found.group(3)),
            Optional.ofNullable(found.group(4)).orElse("")))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return partition + "@" + offset;
  }

  public static String withTopicId(String coordinates, String topicId) {
    return coordinates + TOPIC_ID + topicId;
  }
}
