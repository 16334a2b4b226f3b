package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.hapax.testkit.fault.Fault;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store on a server over a connection that fails, as tests to inherit. A
 * {@link io.hapax.testkit.fault.FaultProxy} loses each command of each verb in turn: the command,
 * its reply, or the end of its reply; or it delays the command until it was repeated. The answers
 * and the marks are compared with the model's.
 */
public abstract class LossyConnectionContract extends LossyContract<RemoteStoreFixture> {

  private static final int MANY = 100;
  private static final int THOROUGH = 2;

  private DedupStore store;
  private List<Integer> lengths = List.of();

  /** For subclasses. */
  protected LossyConnectionContract() {}

  @BeforeEach
  @Override
  final void opened() {
    super.opened();
    store = fixture().through(proxy);
  }

  /** A store whose server removes expired marks sends no command for a purge. */
  @ParameterizedTest
  @EnumSource(to = "PURGE")
  final void a_lost_command_has_no_lasting_effect_when_it_is_repeated(MarkVerb verb) {
    assertThat(commandsLost(verb)).isGreaterThanOrEqualTo(verb == MarkVerb.PURGE ? 0 : 1);
  }

  @Test
  final void a_store_gives_a_silent_server_up_and_recovers_with_it() {
    for (MarkVerb verb : List.of(MarkVerb.CLAIM, MarkVerb.SETTLE_MIXED, MarkVerb.FIND)) {
      MarkCase story = warm(verb);
      proxy.stall();
      assertNotAnswered(verb + " of a silent server", story);
      proxy.resume();
      assertRecovers(story, verb.name());
    }
  }

  @Test
  final void a_store_replaces_connections_that_stay_silent() {
    MarkCase story = warm(MarkVerb.CLAIM);
    proxy.silence();
    assertRecovers(story, "silence");
  }

  @Test
  final void a_store_fails_without_its_server_and_recovers_with_it() {
    for (MarkVerb verb : EnumSet.range(MarkVerb.CLAIM, MarkVerb.PURGE)) {
      MarkCase story = warm(verb);
      proxy.refuse();
      if (verb != MarkVerb.PURGE) {
        assertNotAnswered(verb + " of no server", story);
      }
      proxy.admit();
      assertRecovers(story, verb.name());
    }
  }

  @Test
  final void a_store_recovers_from_reset_connections() {
    for (MarkVerb verb : EnumSet.range(MarkVerb.CLAIM, MarkVerb.PURGE)) {
      MarkCase story = warm(verb);
      proxy.reset();
      assertRecovers(story, verb.name());
    }
  }

  private void assertRecovers(MarkCase story, String when) {
    story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), when);
  }

  /** Checks that the store fails within the timeout and invents no answer. */
  private void assertNotAnswered(String what, MarkCase story) {
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

  private MarkCase warm(MarkVerb verb) {
    MarkCase story = new MarkCase(fixture(), verb);
    untilAnswered(() -> store.find(List.of(MessageKey.of("before", "it"))));
    return story;
  }

  /** Loses each command of the verb in turn and in every way; returns the number of commands. */
  private int commandsLost(MarkVerb verb) {
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
  private boolean survives(MarkVerb verb, Fault fault) {
    MarkCase story = warm(verb);
    proxy.next(fault);
    List<?> answers = untilAnswered(() -> story.send(store));
    boolean struck = proxy.hasStruck();
    lengths = proxy.replyLengths();
    proxy.cancel();
    if (verb == MarkVerb.PURGE) {
      proxy.release(); // until then it skips marks that the lost transaction locks
    }
    story.assertAsIfNothingHadHappened(answers, verb + " with " + fault + ", replies " + lengths);
    proxy.release();
    story.assertMarks(verb + " when all had arrived, with " + fault);
    return struck;
  }

  private List<?> untilAnswered(Supplier<List<?>> verb) {
    return caller().<Object>untilAnswered(() -> List.copyOf(verb.get()));
  }
}
