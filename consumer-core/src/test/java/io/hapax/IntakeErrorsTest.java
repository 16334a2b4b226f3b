package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of a message whose id or fingerprint cannot be read because of an error: one that
 * may lie in the message is treated like a missing one, one that lies in the process is not.
 */
class IntakeErrorsTest extends TransactionFixture {

  /** What the function throws that is asked for the id, or the fingerprint, of "poison". */
  private volatile Optional<Error> thrown = Optional.of(new OutOfMemoryError("Java heap space"));

  private <A> A read(String text, Function<String, A> function) {
    if (text.equals("poison") && thrown.isPresent()) {
      throw thrown.get();
    }
    return function.apply(text);
  }

  private ReceiverBuilder<String> failingIds() {
    return builder().id(text -> read(text, it -> Optional.of(Bytes.utf8(it))));
  }

  private ReceiverBuilder<String> failingFingerprints() {
    return builder()
        .fingerprint(text -> read(text, it -> Fingerprint.of(Bytes.utf8(it).toByteArray())));
  }

  private IdempotentReceiver<String> leased(ReceiverBuilder<String> builder) {
    return open(builder.leased(marks, this::record));
  }

  private IdempotentReceiver<String> transactional(ReceiverBuilder<String> builder) {
    return open(builder.transactional(
        transactions((verb, items, call) -> call.go()),
        (transaction, deliveries) -> deliveries.forEach(this::record)));
  }

  /** A receiver of each kind, whose function fails. */
  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state
  private enum Kind {
    ID(test -> test.leased(test.failingIds())),
    ID_ELSE_COORDINATES(
        test -> test.leased(test.failingIds().missingId(MissingIdPolicy.COORDINATES))),
    ID_UNDER_A_CLAIM_WINDOW(
        test -> test.leased(test.failingIds().onUnknownOutcome(UnknownOutcomePolicy.deadLetter()))),
    ID_IN_A_TRANSACTION(test -> test.transactional(test.failingIds())),
    FINGERPRINT(test -> test.leased(test.failingFingerprints())),
    FINGERPRINT_ELSE_NOT_COMPARED(test -> test.leased(
        test.failingFingerprints().missingFingerprint(MissingFingerprintPolicy.NOT_COMPARED))),
    FINGERPRINT_IN_A_TRANSACTION(test -> test.transactional(test.failingFingerprints()));

    private final Function<IntakeErrorsTest, IdempotentReceiver<String>> opening;

    Kind(Function<IntakeErrorsTest, IdempotentReceiver<String>> opening) {
      this.opening = opening;
    }

    IdempotentReceiver<String> receiver(IntakeErrorsTest test) {
      return opening.apply(test);
    }
  }

  private static List<Incoming<String>> submission() {
    return both(lane("p0", "poison", "behind"), lane("p1", "other"));
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_meets_an_out_of_memory_error_is_redelivered(Kind kind) throws Exception {
    IdempotentReceiver<String> receiver = kind.receiver(this);

    List<Outcome> outcomes = receiver.receive(submission(), PATIENCE);

    assertThat(outcomes.subList(0, 2))
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .containsExactly(Outcome.Reason.INTERNAL_ERROR, Outcome.Reason.BLOCKED);
    assertThat(effects).containsExactly("other");
    assertThat(buried).isEmpty();
    assertThat(receiver.problems()).asString().contains("Java heap space");

    thrown = Optional.empty();
    receiver.receive(submission(), PATIENCE);
    assertThat(effects).containsExactly("other", "poison", "behind");
    eventually(() -> receiver.problems().isEmpty());
  }

  static List<Error> errorsOfAMessage() {
    return List.of(new StackOverflowError("nested"), new NoClassDefFoundError("OrderV2"));
  }

  @ParameterizedTest
  @MethodSource("errorsOfAMessage")
  void a_message_nested_too_deeply_or_of_unknown_class_is_dead_lettered(Error error)
      throws Exception {
    thrown = Optional.of(error);

    leased(failingIds()).receive(submission(), PATIENCE);
    leased(failingFingerprints()).receive(lane("p2", "poison"), PATIENCE);

    assertThat(buried)
        .extracting(DeadLetter::kind)
        .containsExactly(DeadLetter.Kind.MISSING_ID, DeadLetter.Kind.MISSING_FINGERPRINT);
    assertThat(effects).containsExactlyInAnyOrder("other", "behind");
  }
}
