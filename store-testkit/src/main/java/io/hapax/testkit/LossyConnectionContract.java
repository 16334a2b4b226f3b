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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every store on a server does when the way to that server fails, as tests to inherit. Each
 * verb is sent through a {@link FaultProxy} that loses each of its commands in turn: the command
 * itself, or its reply, or the reply's end; or that brings it to the server when it has long been
 * sent again. What the store then says, and the marks, are compared with the machine's.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class LossyConnectionContract implements OnLossyConnection {

  private static final int MANY = 100;
  private static final int THOROUGH = 2;

  private RemoteStoreFixture fixture;
  private FaultProxy proxy;
  private DedupStore store;
  private List<Integer> lengths = List.of();

  /** For subclasses. */
  protected LossyConnectionContract() {}

  /**
   * Opens the store, before each test; the fixture is closed after each test.
   *
   * @return the store under test
   */
  protected abstract RemoteStoreFixture open();

  /**
   * How long a store may take to answer again once the way to its server is whole.
   *
   * @return half a minute, unless a subclass says otherwise
   */
  protected Duration recoveryTimeout() {
    return Duration.ofSeconds(30);
  }

  @BeforeEach
  final void openStore() {
    fixture = open();
    proxy = FaultProxy.before(fixture.ports());
    store = fixture.through(proxy);
  }

  @AfterEach
  final void closeStore() {
    fixture.close();
    proxy.close();
  }

  @Override
  public final RemoteStoreFixture fixture() {
    return fixture;
  }

  @Test
  final void a_claim_that_got_lost_on_its_way_is_sent_again_as_if_nothing_had_happened()
      throws Exception {
    assertThat(commandsLost(LossyVerb.CLAIM)).isPositive();
  }

  @Test
  final void a_renewal_that_got_lost_on_its_way_is_sent_again_as_if_nothing_had_happened()
      throws Exception {
    assertThat(commandsLost(LossyVerb.RENEW)).isPositive();
  }

  @Test
  final void a_settlement_that_got_lost_on_its_way_is_sent_again_as_if_nothing_had_happened()
      throws Exception {
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
  final void a_resolution_that_got_lost_on_its_way_is_carried_out_once() throws Exception {
    assertThat(commandsLost(LossyVerb.REOPEN)).isPositive();
    assertThat(commandsLost(LossyVerb.FORCE_DONE)).isPositive();
  }

  @Test
  final void a_look_that_got_lost_on_its_way_is_sent_again_as_if_nothing_had_happened()
      throws Exception {
    assertThat(commandsLost(LossyVerb.FIND)).isPositive();
    assertThat(commandsLost(LossyVerb.LIST)).isPositive();
  }

  /** A store whose server forgets marks by itself sends no command. */
  @Test
  final void a_purge_that_got_lost_on_its_way_removes_what_it_may_and_nothing_else()
      throws Exception {
    assertThat(commandsLost(LossyVerb.PURGE)).isNotNegative();
  }

  @Test
  final void a_store_whose_server_is_silent_gives_up_and_goes_on_when_it_speaks_again()
      throws Exception {
    for (LossyVerb verb : List.of(LossyVerb.CLAIM, LossyVerb.SETTLE_MIXED, LossyVerb.FIND)) {
      LossyCase story = warm(verb);
      proxy.stall();
      assertNotAnswered(verb + " of a silent server", story);
      proxy.resume();

      story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), verb.name());
    }
  }

  @Test
  final void a_store_whose_connections_have_fallen_silent_for_ever_goes_on_with_others()
      throws Exception {
    LossyCase story = warm(LossyVerb.CLAIM);
    proxy.silence();

    story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), "silence");
  }

  @Test
  final void a_store_whose_server_is_gone_says_so_and_goes_on_when_it_is_back() throws Exception {
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
  final void a_store_whose_connections_are_reset_goes_on_by_itself() throws Exception {
    for (LossyVerb verb : LossyVerb.values()) {
      LossyCase story = warm(verb);
      proxy.reset();

      story.assertAsIfNothingHadHappened(untilAnswered(() -> story.send(store)), verb.name());
    }
  }

  /** Neither does it wait for ever, nor does it make an answer up. */
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
    LossyCase story = new LossyCase(fixture, verb);
    untilAnswered(() -> store.find(List.of(MessageKey.of("before", "it"))));
    return story;
  }

  /** Loses each command of the verb in turn, in every way; gives how many it has. */
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
   * What else may happen to a command besides the loss of its reply: everything to the first, and
   * to each of the others, which set sessions up mostly, one thing in turn.
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

  /** Whether the fault struck; if the store did not survive it, this fails. */
  private boolean survives(LossyVerb verb, Fault fault) throws Exception {
    LossyCase story = warm(verb);
    proxy.next(fault);
    List<?> answers = untilAnswered(() -> story.send(store));
    boolean struck = proxy.hasStruck();
    lengths = proxy.replyLengths();
    proxy.cancel();
    if (verb == LossyVerb.PURGE) {
      proxy.release(); // it passes by what the lost transaction holds until then
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
