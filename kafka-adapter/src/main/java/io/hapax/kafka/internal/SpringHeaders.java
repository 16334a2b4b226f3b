package io.hapax.kafka.internal;

import io.hapax.DeadLetter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The headers of Spring's {@code DeadLetterPublishingRecoverer}, in its encodings: texts in UTF-8,
 * the partition as four bytes, offset and timestamp as eight, the highest byte first.
 */
public final class SpringHeaders {

  private static final String PREFIX = "kafka_dlt-";
  private static final String TOPIC = PREFIX + "original-topic";
  private static final String PARTITION = PREFIX + "original-partition";
  private static final String OFFSET = PREFIX + "original-offset";
  private static final String TIMESTAMP = PREFIX + "original-timestamp";
  private static final String TIMESTAMP_TYPE = PREFIX + "original-timestamp-type";
  private static final String GROUP = PREFIX + "original-consumer-group";
  private static final String ERROR = PREFIX + "exception-fqcn";
  private static final String CAUSE = PREFIX + "exception-cause-fqcn";
  private static final String MESSAGE = PREFIX + "exception-message";
  public static final String STACK_TRACE = PREFIX + "exception-stacktrace";

  /** All of them, of which those of the key are never written here. */
  static final Set<String> NAMES = Set.of(
      TOPIC,
      PARTITION,
      OFFSET,
      TIMESTAMP,
      TIMESTAMP_TYPE,
      GROUP,
      ERROR,
      CAUSE,
      MESSAGE,
      STACK_TRACE,
      PREFIX + "key-exception-fqcn",
      PREFIX + "key-exception-message",
      PREFIX + "key-exception-stacktrace");

  public static final int LONGEST_STACK_TRACE = 8_192;

  private static final int MOST_CAUSES = 20;

  private SpringHeaders() {}

  static void add(
      Headers headers, DeadLetter<? extends ConsumerRecord<?, ?>> letter, Optional<String> group) {
    ConsumerRecord<?, ?> record = letter.message();
    NAMES.forEach(headers::remove);
    add(headers, TOPIC, record.topic());
    headers.add(PARTITION, ByteBuffer.allocate(4).putInt(record.partition()).array());
    headers.add(OFFSET, eightBytes(record.offset()));
    headers.add(TIMESTAMP, eightBytes(record.timestamp()));
    add(headers, TIMESTAMP_TYPE, record.timestampType().toString());
    group.ifPresent(name -> add(headers, GROUP, name));
    add(headers, MESSAGE, letter.detail().isEmpty() ? letter.kind().name() : letter.detail());
    letter.error().ifPresent(error -> addError(headers, error));
  }

  /** The methods of a user's exception may throw; then what they would have given is left out. */
  private static void addError(Headers headers, Throwable error) {
    add(headers, ERROR, error.getClass().getName());
    try {
      Throwable root = error;
      for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
        root = root.getCause();
      }
      add(headers, CAUSE, root.getClass().getName());
      StringWriter text = new StringWriter();
      error.printStackTrace(new PrintWriter(text, true));
      StringBuffer trace = text.getBuffer();
      trace.setLength(Math.min(trace.length(), LONGEST_STACK_TRACE));
      add(headers, STACK_TRACE, trace.toString());
    } catch (RuntimeException | Error e) {
      add(headers, STACK_TRACE, "");
    }
  }

  private static byte[] eightBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static void add(Headers headers, String name, String text) {
    headers.add(name, text.getBytes(StandardCharsets.UTF_8));
  }

  static Optional<RecordPlace> place(Headers headers) {
    Optional<String> topic = DeadLetterRecord.text(headers, TOPIC);
    Optional<ByteBuffer> partition = bytes(headers, PARTITION, 4);
    Optional<ByteBuffer> offset = bytes(headers, OFFSET, 8);
    return topic.isEmpty() || partition.isEmpty() || offset.isEmpty()
        ? Optional.empty()
        : Optional.of(new RecordPlace(
            new TopicPartition(topic.get(), partition.get().getInt()),
            offset.get().getLong()));
  }

  /** Returns when the record of a dead letter of Spring was sent, in milliseconds since 1970. */
  public static Optional<Long> timestamp(Headers headers) {
    return bytes(headers, TIMESTAMP, 8).map(ByteBuffer::getLong);
  }

  static String reason(Headers headers) {
    return DeadLetterRecord.text(headers, MESSAGE).orElse("");
  }

  private static Optional<ByteBuffer> bytes(Headers headers, String name, int length) {
    return Optional.ofNullable(headers.lastHeader(name))
        .map(Header::value)
        .filter(it -> it.length == length)
        .map(ByteBuffer::wrap);
  }
}
