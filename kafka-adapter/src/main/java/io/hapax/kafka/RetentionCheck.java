package io.hapax.kafka;

/**
 * Says what {@link KafkaReceiver} does at its start about retention times that do not fit together.
 * It finds two things:
 *
 * <ul>
 *   <li>A topic keeps records for longer than the store keeps marks. A replay from its beginning
 *       runs the older records again. Kafka starts such a replay by itself under
 *       {@code auto.offset.reset=earliest}, after the offsets of the group have expired
 *       ({@code offsets.retention.minutes} of the brokers).
 *   <li>With {@code auto.offset.reset} {@code latest} or {@code by_duration}, a group whose offsets
 *       have expired skips messages that were never processed.
 * </ul>
 *
 * <p>The retention of offsets is not compared with that of marks. If offsets expire first, a replay
 * begins, and the marks recognise what was completed. If marks expire first, the group still
 * continues from its offsets.
 *
 * <p>The check sees the topics that exist at the start, and not what is changed later.
 */
public enum RetentionCheck {
  /**
   * Logs a warning for each finding. Brokers that do not answer, or do not answer this user, do not
   * prevent the start. The default.
   */
  WARN,
  /** Refuses the start for any finding, and if the brokers do not answer. */
  REFUSE,
  /** Does not look. */
  OFF
}
