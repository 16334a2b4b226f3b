package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;

/**
 * What to do with a message that has an id but no fingerprint, because the function given to
 * {@link ReceiverBuilder#fingerprint} threw. It is unknown whether it is the message that is known
 * under its id. The message is logged as a warning in any case. A function returns
 * {@link io.hapax.mark.Fingerprint#NONE} for a message that need not be compared. If the function
 * threw for lack of memory or by an interrupt, the message is deferred under each policy.
 */
public enum MissingFingerprintPolicy {
  /**
   * Dead-letter it as {@link DeadLetter.Kind#MISSING_FINGERPRINT}, and acknowledge it once that
   * record is acknowledged. The mark under its id does not change, because it may be another
   * message's. If it is the RETRY mark of an earlier attempt of this message, it keeps its attempts
   * and whether it is in doubt. A redrive of the record continues from there. Until then an audit
   * counts the id as to be retried. The default.
   */
  DEAD_LETTER,
  /**
   * Stop its lane: the message is deferred with {@link Outcome.Reason#MISSING_FINGERPRINT} and is
   * read again after the longest backoff of {@link RetrySettings}, until the function answers or a
   * person has moved the offset. {@link IdempotentReceiver#problems()} names it. For functions that
   * depend on another system, for example a schema registry.
   */
  FAIL,
  /**
   * Do not compare it. If another message is known under its id, this one counts as a duplicate and
   * is acknowledged without running.
   */
  NOT_COMPARED
}
