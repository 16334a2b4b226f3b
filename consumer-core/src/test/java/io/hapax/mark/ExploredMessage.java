package io.hapax.mark;

import java.time.Instant;
import java.util.Optional;

/**
 * One message: its mark in the store, and what an observer of every answer remembers.
 *
 * @param mark the mark
 * @param greatestToken the greatest token ever handed out
 * @param current the claim that was granted, or written anew, last since the mark was last lost
 * @param leaseUntil the end of that claim's lease; the epoch if it was settled
 * @param anew whether that claim's mark was lost since it was granted
 * @param effect whether a claim whose mark was not lost since has taken effect
 * @param ran whether any claim has ever taken effect
 */
record ExploredMessage(
    Mark mark,
    long greatestToken,
    Optional<Claim> current,
    Instant leaseUntil,
    boolean anew,
    boolean effect,
    boolean ran) {

  static ExploredMessage unknown(MessageKey key) {
    return new ExploredMessage(
        Mark.absent(key), 0, Optional.empty(), Instant.EPOCH, false, false, false);
  }

  boolean isCurrent(Claim claim) {
    return current.isPresent() && claim.sameAs(current.get());
  }

  ExploredMessage granted(Mark next, Claim claim, Instant until) {
    return current(next, claim, until, anew && isCurrent(claim));
  }

  /** By an owner who holds it, or whose mark was lost. */
  ExploredMessage kept(Mark next, Claim claim, Instant until) {
    return current(next, claim, until, anew || current.isEmpty());
  }

  private ExploredMessage current(Mark next, Claim claim, Instant until, boolean afterLoss) {
    return new ExploredMessage(
        next,
        Math.max(greatestToken, claim.token()),
        Optional.of(claim),
        until,
        afterLoss,
        effect,
        ran);
  }

  /** Whose token was the greatest is forgotten, as in the code of a world without the mark. */
  ExploredMessage lost() {
    return new ExploredMessage(
        Mark.absent(mark.key()),
        greatestToken + 1,
        Optional.empty(),
        Instant.EPOCH,
        false,
        false,
        ran);
  }

  /** A late owner ran after a takeover or a loss, which is reported. */
  ExploredMessage ranBy(Claim claim) {
    return new ExploredMessage(
        mark, greatestToken, current, leaseUntil, anew, effect || isCurrent(claim), true);
  }
}
