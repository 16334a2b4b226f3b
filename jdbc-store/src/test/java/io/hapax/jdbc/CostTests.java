package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Verdict;
import io.hapax.testkit.fault.FaultProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
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

  /** Statements, and on servers round trips. */
  private static final String EXPECTED = """
      case                            | H2  | POSTGRES   | MARIADB  | MYSQL_DRIVER
      claim, fresh                    | 2   | 1, 1       | 2, 5     | 2, 6
      claim, sent again               | 2   | 2, 2       | 2, 5     | 2, 6
      claim, busy                     | 1   | 1, 1       | 1, 4     | 1, 4
      claim, known                    | 1   | 1, 1       | 1, 4     | 1, 4
      claim, due again                | 2   | 2, 2       | 2, 5     | 2, 6
      claim, mixed                    | 3   | 2, 2       | 3, 6     | 3, 8
      claim, lost                     | 1   | 1, 1       | 1, 4     | 1, 4
      claim, taken over               | 2   | 2, 2       | 2, 5     | 2, 6
      renew, current                  | 2   | 1, 1       | 2, 5     | 2, 6
      renew, some not current         | 3   | 2, 2       | 3, 6     | 3, 8
      settle, current                 | 1   | 1, 1       | 1, 4     | 1, 5
      settle, sent again              | 2   | 2, 2       | 2, 5     | 2, 6
      settle, some not current        | 2   | 2, 2       | 2, 5     | 2, 6
      settle, marks forgotten         | 3   | 3, 3       | 3, 6     | 3, 8
      runOnce, fresh                  | 2   | 1, 5       | 2, 11    | 2, 12
      runOnce, sent again             | 1   | 1, 3       | 1, 7     | 1, 7
      runOnce, known                  | 1   | 1, 3       | 1, 7     | 1, 7
      runOnce, mixed                  | 3   | 2, 6       | 3, 12    | 3, 14
      findDone                        | 1   | 1, 1       | 1, 4     | 1, 4
      completeWith                    | 1   | 1, 5       | 1, 10    | 1, 11
      completeWith, sent again        | 2   | 2, 4       | 2, 8     | 2, 9
      renew, one mark locked          | 201 | 3, 3       | 201, 204 | 201, 305
      settle, one mark locked         | 201 | 3, 3       | 201, 204 | 201, 305
      """;

  private final SoftAssertions costs = new SoftAssertions();
  private FaultProxy way;
  private Connection real;
  private SingleConnection counting;
  private JdbcDedupStore store;

  private String expected(String what) {
    List<List<String>> table =
        EXPECTED.lines().map(line -> List.of(line.split(" *\\| *", -1))).toList();
    int column = table.get(0).indexOf(database.name());
    return table.stream()
        .filter(row -> row.get(0).equals(what))
        .map(row -> row.get(column))
        .findFirst()
        .orElseThrow();
  }

  @Override
  final JdbcFixture open() {
    return new RemoteJdbcFixture(database.server());
  }

  @BeforeEach
  final void openWay() throws Exception {
    DatabaseServer server = database.server();
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
    int statements = counting.statements().size();
    String expected = expected(what);
    String counted = expected.contains(",") ? statements + ", " + trips : "" + statements;
    costs.assertThat(counted).as(what).isEqualTo(expected);
  }

  private List<ClaimRequest> requests(String prefix) {
    return IntStream.range(0, BATCH).mapToObj(i -> request(prefix + i)).toList();
  }

  private List<ClaimRequest> alone(String prefix) {
    return requests(prefix).stream().map(StoreTests::solo).toList();
  }

  private List<Claim> claims(List<ClaimRequest> requests) {
    return claimed(store, requests);
  }

  private void settled(String prefix, Verdict verdict) {
    settle(store, claims(requests(prefix)), verdict);
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

    cost("claim, fresh", () -> store.claim(sent, LEASE));
    cost("claim, fresh", () -> store.claim(List.of(request("alone")), LEASE));
    cost("claim, sent again", () -> store.claim(sent, LEASE));
    cost("claim, busy", () -> store.claim(requests("fresh"), LEASE));
    cost("claim, known", () -> store.claim(requests("done"), LEASE));
    cost("claim, due again", () -> store.claim(requests("retry too"), LEASE));
    fixture.advance(LEASE.multipliedBy(2));
    claims(requests("held"));
    cost("claim, mixed", () -> store.claim(mixed, LEASE));
    fixture.advance(LEASE.multipliedBy(2));
    cost("claim, lost", () -> store.claim(requests("fresh"), LEASE));
    cost("claim, taken over", () -> store.claim(alone("fresh"), LEASE));

    costs.assertAll();
  }

  @Test
  void renewals_and_settlements_cost_what_the_documentation_says() throws Exception {
    List<Claim> current = claims(requests("current"));
    List<Claim> late = claims(requests("late"));
    fixture.advance(LEASE.multipliedBy(2));
    claims(alone("late"));
    List<Claim> mixed = mixed(List.of(claims(requests("other")), late));
    List<Claim> alone = claims(List.of(request("alone")));

    cost("renew, current", () -> store.renew(current, LEASE));
    cost("renew, current", () -> store.renew(alone, LEASE));
    cost("renew, some not current", () -> store.renew(mixed, LEASE));
    cost("settle, current", () -> settle(store, current, DONE));
    cost("settle, current", () -> settle(store, alone, DONE));
    cost("settle, sent again", () -> settle(store, current, DONE));
    cost("settle, some not current", () -> settle(store, mixed, DONE));
    fixture.execute("DELETE FROM " + fixture.table());
    cost("settle, marks forgotten", () -> settle(store, current, DONE));

    costs.assertAll();
  }

  @Test
  void transactions_cost_what_the_documentation_says() throws Exception {
    List<ClaimRequest> sent = requests("fresh");
    settled("done", DONE);
    settled("retry", RETRY);
    List<ClaimRequest> mixed = mixed(List.of(requests("new"), requests("done"), requests("retry")));
    Claim claim = claimed("alone");

    cost("runOnce, fresh", () -> runOnce(sent));
    cost("runOnce, fresh", () -> runOnce(List.of(request("only"))));
    cost("runOnce, sent again", () -> runOnce(sent));
    cost("runOnce, known", () -> runOnce(requests("done")));
    cost("runOnce, mixed", () -> runOnce(mixed));
    cost("findDone", () -> store.findDone(requests("done")));
    cost("completeWith", () -> store.completeWith(claim, connection -> {}));
    cost("completeWith, sent again", () -> store.completeWith(claim, connection -> {}));

    costs.assertAll();
  }

  @Test
  void a_locked_mark_costs_what_the_documentation_says() throws Exception {
    List<Claim> claims = claims(requests("m"));
    fixture.other().<Exception>completeWith(claims.get(0), holding -> {
      cost("renew, one mark locked", () -> store.renew(claims, LEASE));
      cost("settle, one mark locked", () -> settle(store, claims, DONE));
    });

    costs.assertAll();
  }
}
