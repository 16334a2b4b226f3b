package io.hapax.adapter;

/**
 * Names the headers of a dead-letter record: headers in Kafka, properties in RocketMQ. Adapters
 * write them beside the headers of the message, and redrive reads them. The values are texts.
 */
public final class DeadLetterHeaders {

  /** The name of the consumer that gave the message up. */
  public static final String CONSUMER = "hapax-consumer";

  /** The message id, for people. */
  public static final String ID = "hapax-id";

  /** How many attempts were made. */
  public static final String ATTEMPTS = "hapax-attempts";

  /** The name of the {@link io.hapax.DeadLetter.Kind}. */
  public static final String KIND = "hapax-kind";

  /** Why the message was given up, for people. */
  public static final String DETAIL = "hapax-detail";

  /** The method of the application in which the last attempt failed; may be empty. */
  public static final String FAILED_AT = "hapax-failed-at";

  /** Whether the message may have taken effect: {@code true} or {@code false}. */
  public static final String IN_DOUBT = "hapax-in-doubt";

  /** Where the message was read from, for example {@code orders-3@1507}. */
  public static final String COORDINATES = "hapax-coordinates";

  /** When the message was sent, in milliseconds since 1970. Kafka only. */
  public static final String TIMESTAMP = "hapax-timestamp";

  /** How many bytes the body has, of which the record holds a part. */
  public static final String BODY_BYTES = "hapax-body-bytes";

  /** How many bytes the key has, which the record does not hold. Kafka only. */
  public static final String KEY_BYTES = "hapax-key-bytes";

  /** Headers of the message that the record does not hold: names, separated by commas. */
  public static final String LEFT_OUT = "hapax-left-out";

  /** How many headers of the message the record does not hold. */
  public static final String LEFT_OUT_COUNT = "hapax-left-out-count";

  /** The topic that the message was sent to. RocketMQ only. */
  public static final String TOPIC = "hapax-topic";

  /** The {@code UNIQ_KEY} of the message. RocketMQ's remoting client only. */
  public static final String UNIQUE_KEY = "hapax-unique-key";

  private DeadLetterHeaders() {}
}
