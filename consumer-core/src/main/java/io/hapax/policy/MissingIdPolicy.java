package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;

/**
 * What to do with a message that has no usable id: the {@link IdExtractor} found none or threw, or
 * the id is blank (only ASCII white space), longer than
 * {@link io.hapax.mark.MessageKey#MAX_ID_BYTES}, or a text that holds U+FFFD
 * ({@link io.hapax.mark.Bytes#isDamagedText()}). The message is logged as a warning in any case. If
 * the extractor threw for lack of memory, or because its thread was interrupted, the message is
 * deferred, whatever the policy says.
 */
public enum MissingIdPolicy {
  /**
   * Dead-letter it as {@link DeadLetter.Kind#MISSING_ID}, and acknowledge it once that record is
   * acknowledged. The default.
   */
  DEAD_LETTER,
  /**
   * Stop its lane: the message is deferred with {@link Outcome.Reason#MISSING_ID} until a person
   * has fixed the producer or the extractor, or has moved the offset.
   * {@link IdempotentReceiver#problems()} names it.
   */
  FAIL,
  /**
   * Use its broker coordinates as its id. They only recognise redeliveries by the broker: a message
   * that was produced twice runs twice, and so does one that was mirrored or copied to another
   * topic. A topic that is deleted and created again has the same coordinates again; on Kafka,
   * {@code KafkaIds.coordinates} is an extractor that distinguishes the two. Refused if a
   * redelivered message has other coordinates (concurrent RocketMQ listeners). A message whose
   * coordinates are too long for an id is dead-lettered.
   */
  COORDINATES
}
