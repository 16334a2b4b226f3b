package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.jdbc.CuttingRelay.Cut;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection is cut when COMMIT was sent and before its answer came. */
abstract class UnknownCommitTests extends StoreTests {

  private CuttingRelay relay;
  private HikariDataSource pool;
  private JdbcDedupStore store;

  /** Stands before the server. */
  abstract CuttingRelay openRelay();

  /** The same server, at another port that leads to it. */
  abstract HikariDataSource poolAt(int port);

  @BeforeEach
  void openPool() {
    relay = openRelay();
    pool = poolAt(relay.port());
    store = fixture.storeOn(pool);
  }

  @AfterEach
  void closeRelay() {
    pool.close();
    relay.close();
  }

  private List<ClaimAnswer> runOnceAgain(List<ClaimRequest> requests) {
    return await()
        .until(
            () -> runOnce(store, requests),
            answers -> answers.stream().noneMatch(ClaimAnswer.Busy.class::isInstance));
  }

  private void assertUnknown(List<ClaimRequest> requests, Cut cut) {
    relay.cutNextCommit(cut);
    assertThatThrownBy(() -> runOnce(store, requests)).isInstanceOf(CommitUnknownException.class);
  }

  @Test
  void a_commit_that_arrived_is_found_by_running_once_again() {
    List<ClaimRequest> requests = List.of(request("a"), request("b"));
    assertUnknown(requests, Cut.AFTER_IT_ARRIVED);

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
    assertUnknown(requests, Cut.BEFORE_IT_ARRIVES);

    List<ClaimAnswer> again = runOnceAgain(requests);

    assertThat(again).hasOnlyElementsOfType(Acquired.class);
    assertThat(List.of(effects("a"), effects("b"))).containsOnly(1);
  }

  @Test
  void a_commit_that_is_under_way_keeps_its_messages_busy() throws SQLException {
    List<ClaimRequest> requests = List.of(request("a"), request("b"));
    assertUnknown(requests, Cut.WHILE_UNDER_WAY);

    List<ClaimAnswer> meanwhile = runOnce(store, requests);
    MarkState seenMeanwhile = state("a");
    relay.release();
    List<ClaimAnswer> afterwards = runOnceAgain(requests);

    assertThat(seenMeanwhile).isEqualTo(MarkState.ABSENT);
    assertThat(meanwhile).hasOnlyElementsOfType(ClaimAnswer.Busy.class);
    assertThat(afterwards).hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(List.of(effects("a"), effects("b"))).containsOnly(1);
  }

  @Test
  void an_unknown_completion_is_decided_by_completing_again() {
    for (Cut cut : List.of(Cut.AFTER_IT_ARRIVED, Cut.BEFORE_IT_ARRIVES)) {
      Claim claim = claimed("of " + cut);
      String effect = effect("of " + cut);
      relay.cutNextCommit(cut);
      assertThatThrownBy(() -> store.completeWith(claim, tx -> fixture.writeEffect(tx, effect)))
          .isInstanceOf(CommitUnknownException.class);

      SettleAnswer answer = await()
          .ignoreExceptionsInstanceOf(StoreContentionException.class)
          .until(
              () -> store.completeWith(claim, tx -> fixture.writeEffect(tx, effect)),
              SettleAnswer.Settled.class::isInstance);

      assertThat(answer).isEqualTo(new SettleAnswer.Settled(false));
      assertThat(fixture.effects(effect)).as(cut.name()).isEqualTo(1);
    }
  }
}
