package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.testkit.fault.FaultProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a verb costs on a server: its statements on the table, and how often anything is sent and
 * waited for, settings of the session and the commit included. {@code docs/sql.md} says the same.
 */
abstract class CostTests extends StoreTests {

  private static final int BATCH = 100;
  private static final Verdict DONE = Verdict.Done.WITHOUT_RESULT;
  private static final Verdict RETRY = new Verdict.Retry(Duration.ZERO, false);

  private final List<String> costs = new ArrayList<>();
  private FaultProxy way;
  private Connection real;
  private SingleConnection counting;
  private JdbcDedupStore store;

  abstract DatabaseServer server();

  @Override
  final JdbcFixture open() {
    return new RemoteJdbcFixture(server());
  }

  @BeforeEach
  final void openWay() throws Exception {
    DatabaseServer server = server();
    way = FaultProxy.before(server.port());
    real = DriverManager.getConnection(server.urlAt(way.port()), server.user(), server.password());
    counting = new SingleConnection(real);
    store = fixture.storeOn(counting);
    claims(requests("warm")); // a driver may ask more the first time
  }

  @AfterEach
  final void closeWay() throws Exception {
    real.close();
    way.close();
  }

  private interface Call {
    void run() throws Exception;
  }

  private void cost(String what, Call call) throws Exception {
    counting.statements();
    way.cancel();
    call.run();
    int trips = way.replyLengths().size();
    costs.add(what + ": " + counted(counting.statements().size(), trips));
  }

  /** How a cost is written. */
  String counted(int statements, int trips) {
    return statements + ", " + trips + " round trips";
  }

  private List<ClaimRequest> requests(String prefix) {
    return IntStream.range(0, BATCH).mapToObj(i -> request(prefix + i)).toList();
  }

  private List<ClaimRequest> alone(String prefix) {
    return requests(prefix).stream()
        .map(it -> new ClaimRequest(
            it.key(),
            it.nonce(),
            it.fingerprint(),
            it.origin(),
            new ClaimTerms(true, false, ClaimTerms.ANY_TIME)))
        .toList();
  }

  private List<Claim> claims(List<ClaimRequest> requests) {
    return store.claim(requests, LEASE).stream()
        .map(answer -> ((Acquired) answer).claim())
        .toList();
  }

  private static List<Settlement> settlements(List<Claim> claims, Verdict verdict) {
    return claims.stream().map(claim -> new Settlement(claim, verdict)).toList();
  }

  private void settled(String prefix, Verdict verdict) {
    store.settle(settlements(claims(requests(prefix)), verdict));
  }

  private static <T> List<T> mixed(List<List<T>> kinds) {
    return kinds.stream()
        .flatMap(kind -> kind.stream().limit(BATCH / kinds.size()))
        .toList();
  }

  private void runOnce(List<ClaimRequest> requests) throws Exception {
    store.runOnce(requests, (connection, answers) -> {});
  }

  @Test
  void claims_cost_what_the_documentation_says() throws Exception {
    List<ClaimRequest> sent = requests("fresh");
    settled("done", DONE);
    settled("retry", RETRY);
    claims(requests("lost"));
    List<ClaimRequest> mixed = mixed(List.of(
        requests("new"), requests("done"), requests("retry"), alone("lost"), requests("held")));
    settled("retry too", RETRY);

    cost("fresh", () -> store.claim(sent, LEASE));
    cost("sent again", () -> store.claim(sent, LEASE));
    cost("busy", () -> store.claim(requests("fresh"), LEASE));
    cost("known", () -> store.claim(requests("done"), LEASE));
    cost("due again", () -> store.claim(requests("retry too"), LEASE));
    fixture.advance(LEASE.multipliedBy(2));
    claims(requests("held"));
    cost("mixed", () -> store.claim(mixed, LEASE));
    fixture.advance(LEASE.multipliedBy(2));
    cost("lost", () -> store.claim(requests("fresh"), LEASE));
    cost("taken over", () -> store.claim(alone("fresh"), LEASE));

    assertThat(costs).containsExactly(claim());
  }

  /** Fresh, sent again, busy, known, due again, mixed, lost, taken over. */
  abstract String[] claim();

  @Test
  void renewals_and_settlements_cost_what_the_documentation_says() throws Exception {
    List<Claim> current = claims(requests("current"));
    List<Claim> late = claims(requests("late"));
    fixture.advance(LEASE.multipliedBy(2));
    claims(alone("late"));
    List<Claim> mixed = mixed(List.of(claims(requests("other")), late));

    cost("renewed", () -> store.renew(current, LEASE));
    cost("renewed, some not current", () -> store.renew(mixed, LEASE));
    cost("settled", () -> store.settle(settlements(current, DONE)));
    cost("sent again", () -> store.settle(settlements(current, DONE)));
    cost("settled, some not current", () -> store.settle(settlements(mixed, DONE)));
    fixture.execute("DELETE FROM " + fixture.table());
    cost("settled, marks forgotten", () -> store.settle(settlements(current, DONE)));

    assertThat(costs).containsExactly(renewAndSettle());
  }

  /** Renewed, and with some not current; settled, sent again, with some not current, forgotten. */
  abstract String[] renewAndSettle();

  @Test
  void transactions_cost_what_the_documentation_says() throws Exception {
    List<ClaimRequest> sent = requests("fresh");
    settled("done", DONE);
    settled("retry", RETRY);
    List<ClaimRequest> mixed = mixed(List.of(requests("new"), requests("done"), requests("retry")));
    Claim claim = claimed("alone");

    cost("fresh", () -> runOnce(sent));
    cost("sent again", () -> runOnce(sent));
    cost("known", () -> runOnce(requests("done")));
    cost("mixed", () -> runOnce(mixed));
    cost("looked up", () -> store.findDone(requests("done")));
    cost("completed", () -> store.completeWith(claim, connection -> {}));
    cost("completed, sent again", () -> store.completeWith(claim, connection -> {}));

    assertThat(costs).containsExactly(transactions());
  }

  /** runOnce of what is fresh, sent again, known, mixed; findDone; completeWith, and again. */
  abstract String[] transactions();

  @Test
  void a_locked_mark_costs_what_the_documentation_says() throws Exception {
    List<Claim> claims = claims(requests("m"));
    fixture.other().<Exception>completeWith(claims.get(0), holding -> {
      cost("renewed", () -> store.renew(claims, LEASE));
      cost("settled", () -> store.settle(settlements(claims, DONE)));
    });

    assertThat(costs).containsExactly(locked());
  }

  /** Renewed, settled, while one mark is locked by another transaction. */
  abstract String[] locked();
}
