package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.hapax.testkit.fault.Fault;
import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A store on a server over a connection that fails, as tests to inherit. A {@link FaultProxy} loses
 * each command of each verb in turn: the command, its reply, or the end of its reply; or it delays
 * the command until it was repeated. The answers and the marks are compared with the model's.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class LossyConnectionContract extends FixtureContract<RemoteStoreFixture>
    implements OnLossyConnection {

  private static final int MANY = 100;
  private static final int THOROUGH = 2;

  private FaultProxy proxy;
  private DedupStore store;
  private List<Integer> lengths = List.of();

  /** For subclasses. */
  protected LossyConnectionContract() {}

  /**
   * Returns how long a store may take to recover once its connections work again.
   *
   * @return half a minute, unless a subclass overrides it
   */
  protected Duration recoveryTimeout() {
    return Duration.ofSeconds(30);
  }

  @BeforeEach
  @Override
  final void opened() {
    proxy = FaultProxy.before(fixture().ports());
    store = fixture().through(proxy);
  }

  @Override
  final void closed() {
    proxy.close();
  }

  @Test
  final void a_lost_claim_has_no_lasting_effect_when_it_is_repeated() throws Exception {
    assertThat(commandsLost(LossyVerb.CLAIM)).isPositive();
  }

  @Test
  final void a_lost_renewal_gets_the_same_answer_when_it_is_repeated() throws Exception {
    assertThat(commandsLost(LossyVerb.RENEW)).isPositive();
  }

  @Test
  final void a_lost_settlement_gets_the_same_answer_when_it_is_repeated() throws Exception {
    for (LossyVerb verdict : List.of(
        LossyVerb.SETTLE_DONE,
        LossyVerb.SETTLE_RETRY,
        LossyVerb.SETTLE_RELEASE,
        LossyVerb.SETTLE_DEAD,
        LossyVerb.SETTLE_MIXED)) {
      assertThat(commandsLost(verdict)).as(verdict.name()).isPositive();
    }
  }

  @Test
  final void a_lost_resolution_is_executed_once_when_it_is_repeated() throws Exception {
    assertThat(commandsLost(LossyVerb.REOPEN)).isPositive();
    assertThat(commandsLost(LossyVerb.FORCE_DONE)).isPositive();
  }

  @Test
  final void a_lost_query_gets_the_same_answer_when_it_is_repeated() throws Exception {
    assertThat(commandsLost(LossyVerb.FIND)).isPositive();
    assertThat(commandsLost(LossyVerb.LIST)).isPositive();
  }

  /** A store whose server removes expired marks sends no command. */
  @Test
  final void a_lost_purge_removes_only_expired_marks_when_it_is_repeated() throws Exception {
    assertThat(commandsLost(LossyVerb.PURGE)).isNotNegative();
  }

  @Test
  final void a_store_gives_a_silent_server_up_and_recovers_with_it() throws Exception {
    for (LossyVerb verb : List.of(LossyVerb.CLAIM, LossyVerb.SETTLE_MIXED, LossyVerb.FIND)) {
      LossyCase story = warm(verb);
      proxy.stall();
      assertNotAnswered(verb + " of a silent server", story);
      proxy.resume();

      story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), verb.name());
    }
  }

  @Test
  final void a_store_replaces_connections_that_stay_silent() throws Exception {
    LossyCase story = warm(LossyVerb.CLAIM);
    proxy.silence();

    story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), "silence");
  }

  @Test
  final void a_store_fails_without_its_server_and_recovers_with_it() throws Exception {
    for (LossyVerb verb : LossyVerb.values()) {
      LossyCase story = warm(verb);
      proxy.refuse();
      if (verb != LossyVerb.PURGE) {
        assertNotAnswered(verb + " of no server", story);
      }
      proxy.admit();

      story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), verb.name());
    }
  }

  @Test
  final void a_store_recovers_from_reset_connections() throws Exception {
    for (LossyVerb verb : LossyVerb.values()) {
      LossyCase story = warm(verb);
      proxy.reset();

      story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), verb.name());
    }
  }

  /** Checks that the store fails within the timeout and invents no answer. */
  private void assertNotAnswered(String what, LossyCase story) {
    assertTimeoutPreemptively(
        recoveryTimeout(),
        () -> {
          try {
            List<?> answers = story.send(store);
            assertThat(answers).as(what).isNotEmpty().allMatch(RetryingCaller::isUnavailable);
          } catch (StoreException e) {
            assertThat(e).as(what).hasMessageNotContaining("null");
          }
        },
        what);
  }

  private LossyCase warm(LossyVerb verb) throws Exception {
    LossyCase story = new LossyCase(fixture(), verb);
    untilAnswered(() -> store.find(List.of(MessageKey.of("before", "it"))));
    return story;
  }

  /** Loses each command of the verb in turn and in every way; returns the number of commands. */
  private int commandsLost(LossyVerb verb) throws Exception {
    for (int command = 1; command < MANY; command++) {
      Fault lostReply = Fault.lostReply().ofCommand(command);
      if (!survives(verb, lostReply)) {
        return command - 1;
      }
      for (Fault fault : others(command, lengths.get(command - 1))) {
        survives(verb, fault);
      }
    }
    throw new AssertionError(verb + " has too many commands");
  }

  /**
   * Returns the other faults besides a lost reply: all of them for the first command. Each further
   * command, which mostly sets a session up, gets one of them in turn.
   */
  private static List<Fault> others(int command, int replyLength) {
    Fault lostReply = Fault.lostReply().ofCommand(command);
    List<Fault> all = List.of(
        lostReply.inGoodOrder(),
        lostReply.afterBytes(replyLength - 1),
        Fault.delayedCommand().ofCommand(command),
        Fault.lostCommand().ofCommand(command),
        lostReply.afterBytes(replyLength / 2));
    return command <= THOROUGH ? all : List.of(all.get(command % all.size()));
  }

  /** Returns whether the fault struck; fails if the store did not recover. */
  private boolean survives(LossyVerb verb, Fault fault) throws Exception {
    LossyCase story = warm(verb);
    proxy.next(fault);
    List<?> answers = untilAnswered(() -> story.send(store));
    boolean struck = proxy.hasStruck();
    lengths = proxy.replyLengths();
    proxy.cancel();
    if (verb == LossyVerb.PURGE) {
      proxy.release(); // until then it skips marks that the lost transaction locks
    }
    story.assertAsIfNothingHadHappened(answers, verb + " with " + fault + ", replies " + lengths);
    proxy.release();
    story.assertMarks(verb + " when all had arrived, with " + fault);
    return struck;
  }

  private List<?> untilAnswered(Callable<List<?>> verb) throws Exception {
    return new RetryingCaller(recoveryTimeout())
        .<Object>untilAnswered(() -> List.copyOf(verb.call()));
  }
}
