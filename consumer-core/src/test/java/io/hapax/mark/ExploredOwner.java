package io.hapax.mark;

import java.time.Duration;
import java.util.Optional;

/**
 * One process, and what it believes.
 *
 * @param index which process
 * @param delivery which delivery of the message it is at; each has its own nonce
 * @param step what it is about to do
 * @param request the claim whose answer it has not seen
 * @param claim the claim that it believes to hold
 * @param verdict the verdict whose answer it has not seen
 */
record ExploredOwner(
    int index,
    int delivery,
    Step step,
    Optional<ClaimRequest> request,
    Optional<Claim> claim,
    Optional<Verdict> verdict) {

  enum Step {
    IDLE,
    CLAIMING,
    HOLDING,
    SETTLING
  }

  static ExploredOwner atFirst(int index) {
    return idle(index, 0);
  }

  private static ExploredOwner idle(int index, int delivery) {
    return new ExploredOwner(
        index, delivery, Step.IDLE, Optional.empty(), Optional.empty(), Optional.empty());
  }

  String name() {
    return String.valueOf((char) ('A' + index));
  }

  Nonce nonce() {
    return new Nonce(index + 1L, delivery + 1L);
  }

  /** The clock of the last process is ten minutes fast. */
  Duration clockOffset() {
    return index == 2 ? Duration.ofMinutes(10) : Duration.ZERO;
  }

  ExploredOwner waitsFor(ClaimRequest sent) {
    return new ExploredOwner(
        index, delivery, Step.CLAIMING, Optional.of(sent), Optional.empty(), Optional.empty());
  }

  ExploredOwner waitsFor(Verdict sent) {
    return new ExploredOwner(
        index, delivery, Step.SETTLING, Optional.empty(), claim, Optional.of(sent));
  }

  /** The answer to a claim came. A refused claim is made again later; an answered one is over. */
  ExploredOwner told(ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      return new ExploredOwner(
          index,
          delivery,
          Step.HOLDING,
          Optional.empty(),
          Optional.of(acquired.claim()),
          Optional.empty());
    }
    boolean again = answer instanceof ClaimAnswer.Busy || answer instanceof ClaimAnswer.Suspect;
    return again ? idle(index, delivery) : isOver();
  }

  /** Acknowledged, sent back, fenced or crashed: the next delivery has another nonce. */
  ExploredOwner isOver() {
    return idle(index, delivery + 1);
  }
}
