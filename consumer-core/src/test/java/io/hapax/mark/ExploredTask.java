package io.hapax.mark;

import java.util.Optional;

/**
 * What an owner does with one message of its delivery, and what it believes.
 *
 * @param step what it is about to do
 * @param request the claim whose answer it has not seen
 * @param claim the claim that it believes to hold
 * @param verdict the verdict whose answer it has not seen
 */
record ExploredTask(
    Step step, Optional<ClaimRequest> request, Optional<Claim> claim, Optional<Verdict> verdict) {

  enum Step {
    /** Not claimed, or refused for now. */
    WAITING,
    /** The store called it a suspect: to be claimed alone. */
    SUSPECT,
    /** Claimed; the answer has not come. */
    CLAIMING,
    /** Claimed; its handler has not started. */
    HOLDING,
    /** Its handler took effect. */
    RAN,
    /** Settled; the answer has not come. */
    SETTLING,
    /** Acknowledged, sent back or fenced. */
    OVER
  }

  static final ExploredTask WAITING =
      new ExploredTask(Step.WAITING, Optional.empty(), Optional.empty(), Optional.empty());
  static final ExploredTask SUSPECT =
      new ExploredTask(Step.SUSPECT, Optional.empty(), Optional.empty(), Optional.empty());
  static final ExploredTask OVER =
      new ExploredTask(Step.OVER, Optional.empty(), Optional.empty(), Optional.empty());

  static ExploredTask claiming(ClaimRequest sent) {
    return new ExploredTask(Step.CLAIMING, Optional.of(sent), Optional.empty(), Optional.empty());
  }

  static ExploredTask holding(Claim claim) {
    return new ExploredTask(Step.HOLDING, Optional.empty(), Optional.of(claim), Optional.empty());
  }

  ExploredTask ran() {
    return new ExploredTask(Step.RAN, Optional.empty(), claim, Optional.empty());
  }

  ExploredTask settling(Verdict sent) {
    return new ExploredTask(Step.SETTLING, Optional.empty(), claim, Optional.of(sent));
  }

  Claim held() {
    return claim.orElseThrow();
  }
}
