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
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions over a connection that fails, as tests to inherit: each command of the transaction,
 * including its commit, is lost in turn. If it is unknown whether the commit succeeded, the store
 * must say so. After every other failure there must be no effect. A repeated call leaves each
 * effect once.
 *
 * @param <T> the transaction's handle
 */
public abstract class LossyTransactionContract<T>
    extends LossyContract<RemoteTransactionalStoreFixture<T>> implements TransactionalBench<T> {

  private static final int MANY = 100;

  private TransactionalDedupStore<T> store;

  /** For subclasses. */
  protected LossyTransactionContract() {}

  @BeforeEach
  @Override
  final void opened() {
    super.opened();
    store = fixture().through(proxy);
  }

  @ParameterizedTest
  @EnumSource
  final void a_batch_with_a_lost_command_takes_effect_once(Fault.Loss loss) throws Exception {
    strikeEachCommand(loss, this::runOnce);
  }

  @ParameterizedTest
  @EnumSource
  final void a_completion_with_a_lost_command_takes_effect_once(Fault.Loss loss) throws Exception {
    strikeEachCommand(loss, this::complete);
  }

  private interface Story {
    /** Returns whether the fault struck. */
    boolean survives(int number, Fault fault) throws Exception;
  }

  /** Applies the fault to each command in turn; there are at least two. */
  private static void strikeEachCommand(Fault.Loss loss, Story story) throws Exception {
    int command = 1;
    while (story.survives(command, new Fault(loss, command, 0, Fault.Ending.RESET))) {
      command++;
      assertThat(command).as("commands of the transaction").isLessThan(MANY);
    }
    assertThat(command).isGreaterThan(2);
  }

  private boolean runOnce(int number, Fault fault) throws Exception {
    List<String> ids = List.of("a" + number, "b" + number);
    List<ClaimRequest> requests = ids.stream().map(this::request).toList();
    boolean struck = struckDuring(
        fault,
        ids,
        () -> store.runOnce(requests, effectOfEach()).stream()
            .noneMatch(ClaimAnswer.Busy.class::isInstance));

    List<ClaimAnswer> answers = store.runOnce(requests, effectOfEach());

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
    Claim claim = held(id);
    Callable<SettleAnswer> completion =
        () -> store.<Exception>completeWith(claim, tx -> writeEffect(tx, id));
    boolean struck =
        struckDuring(fault, List.of(id), () -> completion.call() instanceof SettleAnswer.Settled);

    assertThat(completion.call()).as(fault.toString()).isEqualTo(new SettleAnswer.Settled(false));
    assertEachOnce(fault, List.of(id));
    return struck;
  }

  /** Repeats the verb under a fault until it succeeds; then delivers the delayed commands. */
  private boolean struckDuring(Fault fault, List<String> ids, Callable<Boolean> verb)
      throws Exception {
    caller().untilAnswered(() -> store.find(List.of(key("before"))));
    proxy.next(fault);
    try {
      verb.call();
    } catch (CommitUnknownException e) {
      assertThat(proxy.hasStruck()).as("%s: nothing was lost, but %s", fault, e).isTrue();
    } catch (StoreException e) {
      assertThat(ids).as("%s: %s", fault, e).allSatisfy(id -> {
        assertThat(effects(id)).isZero();
        assertThat(state(id)).isNotEqualTo(MarkState.DONE);
      });
    }
    boolean struck = proxy.hasStruck();
    proxy.cancel();
    caller().untilAnswered(() -> store.find(List.of(key("before"))));
    if (fault.loss() == Fault.Loss.DELAYED_COMMAND) {
      once(verb);
      proxy.release();
    }
    caller().untilTrue(verb);
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
      assertThat(effects(id)).as(id).isEqualTo(1);
      assertThat(state(id)).as(id).isEqualTo(MarkState.DONE);
    });
  }
}
