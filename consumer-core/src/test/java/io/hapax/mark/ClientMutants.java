package io.hapax.mark;

/** Processes that use a sound store wrongly, as some project does, and what it costs a user. */
final class ClientMutants {

  private ClientMutants() {}

  /** Uses one nonce for all claims: a restarted process repeats an effect unseen. */
  static final class NoncePerProcess extends ExploredClient {
    @Override
    Nonce nonce(int owner, int delivery) {
      return super.nonce(owner, 0);
    }
  }

  /** Takes a message in progress for a duplicate: if the first run dies, the message is lost. */
  static final class AcknowledgesBusy extends ExploredClient {
    @Override
    boolean acknowledges(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.Busy || super.acknowledges(refusal);
    }
  }

  /** Takes any mark for a duplicate: the messages of a dead process are lost. */
  static final class AcknowledgesSuspects extends ExploredClient {
    @Override
    boolean acknowledges(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.Suspect || super.acknowledges(refusal);
    }
  }

  /** Runs the handler after an unexpected answer: effects are repeated without a trace. */
  static final class RunsWithoutClaim extends ExploredClient {
    @Override
    boolean runs(ClaimAnswer refusal) {
      return refusal instanceof ClaimAnswer.TooLate;
    }
  }

  /** Acknowledges a refused settlement: the message is gone if its new owner fails. */
  static final class AcknowledgesFenced extends ExploredClient {
    @Override
    boolean acknowledges(Verdict verdict, SettleAnswer answer) {
      return verdict instanceof Verdict.Done;
    }
  }

  /** Logs that its handler failed, and acknowledges: the message is lost. */
  static final class AcknowledgesFailures extends ExploredClient {
    @Override
    boolean acknowledges(Verdict verdict, SettleAnswer answer) {
      return verdict instanceof Verdict.Retry || super.acknowledges(verdict, answer);
    }
  }

  /** Acknowledges unanswered settlements: a message whose settlement got lost is lost. */
  static final class TakesSilenceForSuccess extends ExploredClient {
    @Override
    boolean acknowledgesSilence(Verdict verdict) {
      return verdict instanceof Verdict.Done;
    }
  }

  /** Acknowledges before the mark is settled: a crash between them loses the message. */
  static final class AcknowledgesFirst extends ExploredClient {
    @Override
    boolean acknowledgesBeforeSettling() {
      return true;
    }
  }
}
