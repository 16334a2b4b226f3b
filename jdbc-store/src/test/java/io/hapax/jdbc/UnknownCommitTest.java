package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.testkit.fault.Fault;
import io.hapax.testkit.fault.FaultProxy;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection is cut when COMMIT was sent and before its answer came. */
class UnknownCommitTest extends StoreTests {

  /** As the protocol sends a statement's text; READ COMMITTED is another. */
  private static final String COMMIT = "COMMIT\0";

  private static final Fault ARRIVED = Fault.lostReply().ofCommandWith(COMMIT);
  private static final Fault NOT_ARRIVED = Fault.lostCommand().ofCommandWith(COMMIT);
  private static final Fault UNDER_WAY = Fault.delayedCommand().ofCommandWith(COMMIT);

  private FaultProxy proxy;
  private HikariDataSource pool;
  private JdbcDedupStore store;

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @BeforeEach
  void openProxy() {
    proxy = FaultProxy.before(Databases.postgresPort());
    pool = Databases.postgresAt(proxy.port());
    store = fixture.storeOn(pool);
  }

  @AfterEach
  void closeProxy() {
    pool.close();
    proxy.close();
  }

  private List<ClaimAnswer> runOnceAgain(List<ClaimRequest> requests) {
    return await()
        .until(
            () -> runOnce(store, requests),
            answers -> answers.stream().noneMatch(ClaimAnswer.Busy.class::isInstance));
  }

  private void assertUnknown(List<ClaimRequest> requests, Fault cut) {
    proxy.next(cut);
    assertThatThrownBy(() -> runOnce(store, requests)).isInstanceOf(CommitUnknownException.class);
  }

  @Test
  void a_commit_that_arrived_is_found_by_running_once_again() {
    List<ClaimRequest> requests = List.of(request("a"), request("b"));
    assertUnknown(requests, ARRIVED);

    List<ClaimAnswer> again = runOnceAgain(requests);

    assertThat(again)
        .allSatisfy(answer -> assertThat(answer)
            .isInstanceOfSatisfying(
                ClaimAnswer.Done.class, done -> assertThat(done.own()).isTrue()));
    assertThat(List.of(effects("a"), effects("b"))).containsOnly(1);
  }

  @Test
  void a_commit_that_did_not_arrive_is_made_up_for_by_running_once_again() {
    List<ClaimRequest> requests = List.of(request("a"), request("b"));
    assertUnknown(requests, NOT_ARRIVED);

    List<ClaimAnswer> again = runOnceAgain(requests);

    assertThat(again).hasOnlyElementsOfType(Acquired.class);
    assertThat(List.of(effects("a"), effects("b"))).containsOnly(1);
  }

  @Test
  void a_commit_that_is_under_way_keeps_its_messages_busy() throws SQLException {
    List<ClaimRequest> requests = List.of(request("a"), request("b"));
    assertUnknown(requests, UNDER_WAY);

    List<ClaimAnswer> meanwhile = runOnce(store, requests);
    MarkState seenMeanwhile = state("a");
    proxy.release();
    List<ClaimAnswer> afterwards = runOnceAgain(requests);

    assertThat(seenMeanwhile).isEqualTo(MarkState.ABSENT);
    assertThat(meanwhile).hasOnlyElementsOfType(ClaimAnswer.Busy.class);
    assertThat(afterwards).hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(List.of(effects("a"), effects("b"))).containsOnly(1);
  }

  @Test
  void an_unknown_completion_is_decided_by_completing_again() {
    for (Fault cut : List.of(ARRIVED, NOT_ARRIVED)) {
      Claim claim = claimed("of " + cut.loss());
      String effect = effect("of " + cut.loss());
      proxy.next(cut);
      assertThatThrownBy(() -> store.completeWith(claim, tx -> fixture.writeEffect(tx, effect)))
          .isInstanceOf(CommitUnknownException.class);

      SettleAnswer answer = await()
          .ignoreExceptionsInstanceOf(StoreContentionException.class)
          .until(
              () -> store.completeWith(claim, tx -> fixture.writeEffect(tx, effect)),
              SettleAnswer.Settled.class::isInstance);

      assertThat(answer).isEqualTo(new SettleAnswer.Settled(false));
      assertThat(fixture.effects(effect)).as(cut.toString()).isEqualTo(1);
    }
  }
}
