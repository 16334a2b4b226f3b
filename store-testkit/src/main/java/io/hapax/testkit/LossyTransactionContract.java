package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
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
 * Transactions over a connection that fails, as tests to inherit: each command of the transaction,
 * including its commit, is lost in turn. If it is unknown whether the commit succeeded, the store
 * must say so. After every other failure there must be no effect. A repeated call leaves each
 * effect once.
 *
 * @param <T> the transaction's handle
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class LossyTransactionContract<T>
    extends FixtureContract<RemoteTransactionalStoreFixture<T>> {

  private static final int MANY = 100;

  private FaultProxy proxy;
  private TransactionalDedupStore<T> store;
  private TransactionalBench<T> transactions;

  /** For subclasses. */
  protected LossyTransactionContract() {}

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
    transactions = new TransactionalBench<>(fixture(), bench());
    proxy = FaultProxy.before(fixture().ports());
    store = fixture().through(proxy);
  }

  @Override
  final void closed() {
    proxy.close();
  }

  @Test
  final void a_batch_whose_replies_get_lost_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.lostReply(), this::runOnce);
  }

  @Test
  final void a_batch_whose_commands_get_lost_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.lostCommand(), this::runOnce);
  }

  @Test
  final void a_batch_whose_commands_arrive_late_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.delayedCommand(), this::runOnce);
  }

  @Test
  final void a_completion_whose_replies_get_lost_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.lostReply(), this::complete);
  }

  @Test
  final void a_completion_whose_commands_get_lost_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.lostCommand(), this::complete);
  }

  @Test
  final void a_completion_whose_commands_arrive_late_takes_effect_once() throws Exception {
    strikeEachCommand(Fault.delayedCommand(), this::complete);
  }

  private interface Story {
    /** Returns whether the fault struck. */
    boolean survives(int number, Fault fault) throws Exception;
  }

  /** Applies the fault to each command in turn; there are at least two. */
  private static void strikeEachCommand(Fault fault, Story story) throws Exception {
    int command = 1;
    while (story.survives(command, fault.ofCommand(command))) {
      command++;
      assertThat(command).as("commands of the transaction").isLessThan(MANY);
    }
    assertThat(command).isGreaterThan(2);
  }

  private boolean runOnce(int number, Fault fault) throws Exception {
    List<String> ids = List.of("a" + number, "b" + number);
    List<ClaimRequest> requests = ids.stream().map(bench()::request).toList();
    boolean struck = struckDuring(
        fault,
        ids,
        () -> store.runOnce(requests, transactions.effectOfEach()).stream()
            .noneMatch(ClaimAnswer.Busy.class::isInstance));

    List<ClaimAnswer> answers = store.runOnce(requests, transactions.effectOfEach());

    assertThat(answers)
        .as(fault.toString())
        .allSatisfy(answer -> assertThat(answer)
            .isInstanceOfSatisfying(
                ClaimAnswer.Done.class, done -> assertThat(done.own()).isTrue()));
    assertEachOnce(fault, ids);
    return struck;
  }

  private boolean complete(int number, Fault fault) throws Exception {
    String id = "c" + number;
    Claim claim = bench().held(id);
    Callable<SettleAnswer> completion =
        () -> store.<Exception>completeWith(claim, tx -> transactions.writeEffect(tx, id));
    boolean struck =
        struckDuring(fault, List.of(id), () -> completion.call() instanceof SettleAnswer.Settled);

    assertThat(completion.call()).as(fault.toString()).isEqualTo(new SettleAnswer.Settled(false));
    assertEachOnce(fault, List.of(id));
    return struck;
  }

  /** Repeats the verb under a fault until it succeeds; then delivers the delayed commands. */
  private boolean struckDuring(Fault fault, List<String> ids, Callable<Boolean> verb)
      throws Exception {
    RetryingCaller caller = new RetryingCaller(recoveryTimeout());
    caller.untilAnswered(() -> store.find(List.of(bench().key("before"))));
    proxy.next(fault);
    try {
      verb.call();
    } catch (CommitUnknownException e) {
      assertThat(proxy.hasStruck()).as("%s: nothing was lost, but %s", fault, e).isTrue();
    } catch (StoreException e) {
      assertThat(ids).as("%s: %s", fault, e).allSatisfy(id -> {
        assertThat(transactions.effects(id)).isZero();
        assertThat(bench().state(id)).isNotEqualTo(MarkState.DONE);
      });
    }
    boolean struck = proxy.hasStruck();
    proxy.cancel();
    caller.untilAnswered(() -> store.find(List.of(bench().key("before"))));
    if (fault.loss() == Fault.Loss.DELAYED_COMMAND) {
      once(verb);
      proxy.release();
    }
    caller.untilTrue(verb);
    return struck;
  }

  /** Accepts that a transaction in flight keeps the messages busy, but no parallel effect. */
  private static void once(Callable<Boolean> verb) throws Exception {
    try {
      verb.call();
    } catch (StoreException e) {
      assertThat(e).isNotInstanceOf(CommitUnknownException.class);
    }
  }

  private void assertEachOnce(Fault fault, List<String> ids) {
    assertThat(ids).as(fault.toString()).allSatisfy(id -> {
      assertThat(transactions.effects(id)).as(id).isEqualTo(1);
      assertThat(bench().state(id)).as(id).isEqualTo(MarkState.DONE);
    });
  }
}
