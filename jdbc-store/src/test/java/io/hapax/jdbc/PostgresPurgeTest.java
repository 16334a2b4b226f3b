package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@TestDatabase.OnPostgres
class PostgresPurgeTest extends PurgeTests {

  /** Rows of two partitions lie at the same places. */
  @Test
  void only_expired_marks_of_a_partitioned_table_are_removed() {
    String table = fixture.table();
    fixture.execute("ALTER TABLE " + table + " RENAME TO " + table + "_whole; CREATE TABLE " + table
        + " (LIKE " + table + "_whole INCLUDING INDEXES) PARTITION BY RANGE (k)");
    String half = "('80000000-0000-0000-0000-000000000000')";
    fixture.execute("CREATE TABLE " + table + "_low PARTITION OF " + table
        + " FOR VALUES FROM (MINVALUE) TO " + half);
    fixture.execute("CREATE TABLE " + table + "_high PARTITION OF " + table + " FOR VALUES FROM "
        + half + " TO (MAXVALUE)");
    done(key -> key.high() >= 0);
    fixture.advance(fixture.retention().plusSeconds(1));
    List<Claim> young = done(key -> key.high() < 0);

    int removed = store().purge(1000);

    assertThat(store().find(young.stream().map(Claim::key).toList()))
        .extracting(mark -> mark.map(Mark::state))
        .containsOnly(Optional.of(MarkState.DONE));
    assertThat(removed).isEqualTo(50);
  }

  /** Fifty messages whose keys are such. */
  private List<Claim> done(Predicate<MessageKey> keys) {
    List<ClaimRequest> requests = IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> request("m" + i))
        .filter(request -> keys.test(request.key()))
        .limit(50)
        .toList();
    List<Claim> claims = claimed(store(), requests);
    settle(store(), claims, Verdict.Done.WITHOUT_RESULT);
    return claims;
  }
}
