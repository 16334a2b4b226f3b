package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;

/**
 * What to do with a message that has no usable id: the {@link IdExtractor} found none or threw, or
 * what it found is blank (nothing but ASCII white space) or longer than
 * {@link io.hapax.mark.MessageKey#MAX_ID_BYTES}. Whatever is done, it is logged as a warning. If it
 * threw for want of memory, or because its thread was interrupted, nothing is known of the message,
 * and it comes again whatever the policy says.
 */
public enum MissingIdPolicy {
  /**
   * Dead-letter it as {@link DeadLetter.Kind#MISSING_ID}, and acknowledge it once that record is
   * acknowledged. The default.
   */
  DEAD_LETTER,
  /**
   * Stop its lane: the message is deferred with {@link Outcome.Reason#MISSING_ID} until a person
   * has mended the producer or the extractor, or has moved the offset.
   * {@link IdempotentReceiver#problems()} names it.
   */
  FAIL,
  /**
   * Take its broker coordinates for its id. That recognises a redelivery by the broker and nothing
   * else: a message that was produced twice runs twice, and so does one that was mirrored or put
   * into another topic. A topic that is deleted and made anew has the same coordinates again.
   * Refused where a redelivered message has other coordinates (concurrent RocketMQ listeners).
   * Coordinates that are too long for an id are none: such a message is dead-lettered.
   */
  COORDINATES
}
