package io.hapax.mark;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Processes that use a sound store wrongly, as some project does, and what it costs a user. */
final class ClientMutants {

  private ClientMutants() {}

  /** The mutants with the invariant that each of them breaks, and what it means. */
  static Stream<Arguments> all() {
    return Stream.of(
        arguments(1, "busy is not done", new AcknowledgesBusy()),
        arguments(1, "what a dead process left is not done", new AcknowledgesSuspects()),
        arguments(
            1,
            "a late owner may not acknowledge what its successor still does",
            new AcknowledgesFenced()),
        arguments(1, "a failed message may not be acknowledged", new AcknowledgesFailures()),
        arguments(
            1,
            "a store that does not answer has not said that it is done",
            new TakesSilenceForSuccess()),
        arguments(1, "the mark is done before the acknowledgement", new AcknowledgesFirst()),
        arguments(2, "no handler without a claim", new RunsWithoutClaim()),
        arguments(
            9,
            "a nonce for each process lets its next delivery repeat the effect",
            new NoncePerProcess()));
  }

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
