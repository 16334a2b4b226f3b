package io.hapax.mark;

/** Processes that use a sound store in a wrong way, each as somebody has done before. */
final class ClientMutants {

  private ClientMutants() {}

  /** Calls all its claims by its own name. */
  static final class NoncePerProcess extends ExploredClient {
    @Override
    Nonce nonce(int owner, int delivery) {
      return super.nonce(owner, 0);
    }
  }

  /** Takes a message in progress for a duplicate. */
  static final class AcknowledgesBusy extends ExploredClient {
    @Override
    boolean acknowledges(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.Busy || super.acknowledges(refusal);
    }
  }

  /** Takes any mark that is there for a duplicate. */
  static final class AcknowledgesSuspects extends ExploredClient {
    @Override
    boolean acknowledges(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.Suspect || super.acknowledges(refusal);
    }
  }

  /** Runs the handler when it cannot make sense of the answer. */
  static final class RunsWithoutClaim extends ExploredClient {
    @Override
    boolean runs(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.TooLate;
    }
  }

  /** Logs that its settlement was refused, and acknowledges. */
  static final class AcknowledgesFenced extends ExploredClient {
    @Override
    boolean acknowledges(Verdict verdict, SettleAnswer answer) {
      return verdict instanceof Verdict.Done;
    }
  }

  /** Logs that its handler failed, and acknowledges. */
  static final class AcknowledgesFailures extends ExploredClient {
    @Override
    boolean acknowledges(Verdict verdict, SettleAnswer answer) {
      return verdict instanceof Verdict.Retry || super.acknowledges(verdict, answer);
    }
  }

  /** Logs that the store did not answer, and acknowledges. */
  static final class TakesSilenceForSuccess extends ExploredClient {
    @Override
    boolean acknowledgesSilence(Verdict verdict) {
      return verdict instanceof Verdict.Done;
    }
  }

  /** Lets a timer acknowledge what it was given. */
  static final class AcknowledgesFirst extends ExploredClient {
    @Override
    boolean acknowledgesBeforeSettling() {
      return true;
    }
  }
}
