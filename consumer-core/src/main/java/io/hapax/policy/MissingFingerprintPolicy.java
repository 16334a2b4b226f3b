package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;

/**
 * What to do with a message that has an id but no fingerprint, because the function given to
 * {@link ReceiverBuilder#fingerprint} threw: nobody can tell whether it is the message that is
 * known under its id. Whatever is done, it is logged as a warning. A function that knows that a
 * message need not be compared answers {@link io.hapax.mark.Fingerprint#NONE} instead. If it threw
 * for want of memory, or because its thread was interrupted, the message comes again, whatever the
 * policy says.
 */
public enum MissingFingerprintPolicy {
  /**
   * Dead-letter it as {@link DeadLetter.Kind#MISSING_FINGERPRINT}, and acknowledge it once that
   * record is acknowledged. The mark under its id stays as it is, because it may be another
   * message's: if an earlier attempt of this one waits there to be retried it goes on waiting, with
   * the count of its attempts and its doubt. A letter that is redriven once the function answers
   * goes on from there; until then an audit counts the id as to be retried. The default.
   */
  DEAD_LETTER,
  /**
   * Stop its lane: the message is deferred with {@link Outcome.Reason#MISSING_FINGERPRINT} and is
   * read again after the longest backoff of {@link RetrySettings}, until the function answers or a
   * person has moved the offset. {@link IdempotentReceiver#problems()} names it. For functions that
   * need something that may be away, as a schema registry.
   */
  FAIL,
  /**
   * Do not compare it. If another message is known under its id, it passes for a duplicate and is
   * acknowledged without running.
   */
  NOT_COMPARED
}
