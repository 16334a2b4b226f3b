package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Suspect;
import java.util.Optional;

/**
 * What a process does with a message.
 *
 * @param step what it is at
 * @param suspect what the store has answered, if the message is a suspect
 * @param alone whether it runs while no other suspect runs
 */
record KillerTask(Step step, Optional<Suspect> suspect, boolean alone) {

  enum Step {
    WAITING,
    SUSPECT,
    HOLDING,
    RUNNING,
    OVER
  }

  static final KillerTask WAITING = new KillerTask(Step.WAITING, Optional.empty(), false);
  static final KillerTask OVER = new KillerTask(Step.OVER, Optional.empty(), false);
  static final KillerTask HOLDING = new KillerTask(Step.HOLDING, Optional.empty(), false);

  static KillerTask suspected(Suspect suspect) {
    return new KillerTask(Step.SUSPECT, Optional.of(suspect), false);
  }

  KillerTask at(Step next) {
    return new KillerTask(next, suspect, alone);
  }

  boolean holdsClaim() {
    return step == Step.HOLDING || step == Step.RUNNING;
  }

  boolean isClaimedSuspect() {
    return holdsClaim() && suspect.isPresent();
  }

  boolean isUnderWay() {
    return step == Step.SUSPECT || holdsClaim();
  }
}
