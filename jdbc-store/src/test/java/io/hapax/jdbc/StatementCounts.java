package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Counts the statements on the table, whatever the size of the batch. */
final class StatementCounts {

  private StatementCounts() {}

  static void expect(
      JdbcFixture fixture,
      Function<String, ClaimRequest> request,
      int claim,
      int renew,
      int settle,
      int runOnce)
      throws SQLException {
    try (Connection real = fixture.pool().getConnection()) {
      SingleConnection counting = new SingleConnection(real);
      JdbcDedupStore store = fixture.storeOn(counting);
      for (int size : List.of(1, 100)) {
        List<ClaimRequest> requests = IntStream.range(0, size)
            .mapToObj(i -> request.apply("claimed" + size + "/" + i))
            .toList();
        counting.statements();

        List<Claim> claims = store.claim(requests, StoreTests.LEASE).stream()
            .map(answer -> ((Acquired) answer).claim())
            .toList();
        assertThat(counting.statements()).hasSize(claim);

        store.renew(claims, StoreTests.LEASE);
        assertThat(counting.statements()).hasSize(renew);

        store.settle(claims.stream()
            .map(it -> new Settlement(it, Verdict.Done.WITHOUT_RESULT))
            .toList());
        assertThat(counting.statements()).hasSize(settle);

        List<ClaimRequest> once = IntStream.range(0, size)
            .mapToObj(i -> request.apply("once" + size + "/" + i))
            .toList();
        store.runOnce(once, (connection, answers) -> {});
        assertThat(counting.statements()).hasSize(runOnce);
      }
    }
  }
}
