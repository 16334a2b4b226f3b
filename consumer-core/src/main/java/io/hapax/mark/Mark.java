package io.hapax.mark;

import java.time.Instant;

/**
 * A store's record of one message.
 *
 * @param claim the latest claim; on a DONE mark without its origin
 * @param state the state
 * @param claimedAt when the latest claim was acquired, by the store's clock
 * @param until by the store's clock: PROCESSING: when the lease ends · RETRY: when it is due ·
 *     DONE, DEAD: when it was settled
 * @param detail DONE: the handler's result · DEAD: the reason, UTF-8 · otherwise empty
 */
public record Mark(Claim claim, MarkState state, Instant claimedAt, Instant until, Bytes detail) {

  /**
   * {@return the mark of a message without one: {@link MarkState#ABSENT} with token 0}
   *
   * @param key the message
   */
  public static Mark absent(MessageKey key) {
    Attempt none = new Attempt(0, false, false, false);
    Claim noClaim = new Claim(key, Nonce.NONE, 0, none, Fingerprint.NONE, Origin.NONE);
    return new Mark(noClaim, MarkState.ABSENT, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
  }

  /** {@return the key of the message} */
  public MessageKey key() {
    return claim.key();
  }

  /**
   * {@return whether the mark is PROCESSING and has a lease that ends after {@code now}}
   *
   * @param now the store's time
   */
  public boolean leasedAt(Instant now) {
    return state == MarkState.PROCESSING && now.isBefore(until);
  }
}
