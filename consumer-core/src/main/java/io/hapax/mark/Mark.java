package io.hapax.mark;

import java.time.Instant;

/**
 * What a store knows of a message.
 *
 * @param claim the latest claim; on a DONE mark without its origin
 * @param state the state
 * @param claimedAt by the store's clock, when the latest claim was acquired
 * @param until by the store's clock: PROCESSING: when the lease ends · RETRY: from when it may be
 *     claimed · DONE, DEAD: when it was settled
 * @param detail DONE: the handler's result · DEAD: the reason, UTF-8 · otherwise empty
 */
public record Mark(Claim claim, MarkState state, Instant claimedAt, Instant until, Bytes detail) {

  /**
   * The mark that is not there.
   *
   * @param key the message
   * @return a mark in state {@link MarkState#ABSENT} with token 0
   */
  public static Mark absent(MessageKey key) {
    Attempt none = new Attempt(0, false, false, false);
    Claim nobody = new Claim(key, Nonce.NONE, 0, none, Fingerprint.NONE, Origin.NONE);
    return new Mark(nobody, MarkState.ABSENT, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
  }

  /**
   * The message.
   *
   * @return the key
   */
  public MessageKey key() {
    return claim.key();
  }

  /**
   * Whether a lease on this mark is alive.
   *
   * @param now the store's time
   * @return true if the mark is PROCESSING and its lease ends after {@code now}
   */
  public boolean leasedAt(Instant now) {
    return state == MarkState.PROCESSING && now.isBefore(until);
  }
}
