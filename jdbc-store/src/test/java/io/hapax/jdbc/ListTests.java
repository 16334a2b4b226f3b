package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.MarkQuery.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A few open marks among many that are done. */
abstract class ListTests extends StoreTests {

  static final int DONE = 25_000;

  /** A relation of numbers from 1, in a column {@code n}. */
  private String numbers(int count) {
    return switch (database.product) {
      case H2 -> "(SELECT X AS n FROM SYSTEM_RANGE(1, " + count + ")) AS numbers";
      case POSTGRES -> "generate_series(1, " + count + ") AS n";
      case MARIADB -> "(SELECT seq AS n FROM seq_1_to_" + count + ") AS numbers";
    };
  }

  /**
   * Returns an expression that differs for each {@code n} and each call, and is never NULL.
   * MariaDB's {@code RANDOM_BYTES} is NULL for about one call in some hundreds of millions: without
   * TLS the server seeds a generator for each call, and refuses a seed that repeats four bytes.
   */
  private String randomKey() {
    return switch (database.product) {
      case H2 -> "RANDOM_UUID()";
      case POSTGRES -> "gen_random_uuid()";
      case MARIADB -> "UNHEX(MD5(CONCAT('" + UUID.randomUUID() + "', n)))";
    };
  }

  private String bytes() {
    return switch (database.product) {
      case H2 -> "VARBINARY";
      case POSTGRES -> "bytea";
      case MARIADB -> "BINARY";
    };
  }

  /** DONE marks, one claimed in each tenth of a second of the time before now. */
  void fill(int count) {
    String us = "SELECT max(claimed_at_us) FROM " + fixture.table();
    fixture.execute("INSERT INTO " + fixture.table()
        + " (k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, version,"
        + " attempt, state, flags, detail) SELECT " + randomKey() + ", " + randomKey()
        + ", 1, 0, (" + us + ") - n * 100000000000 / 1000000, (" + us
        + ") - n * 100000000000 / 1000000, (" + us
        + ") - n * 100000000000 / 1000000 + 691200000000, 2, 1, 3, 0, CAST('' AS " + bytes()
        + ") FROM "
        + numbers(count));
  }

  private List<MessageKey> pages(Kind kind, int size) {
    List<MessageKey> seen = new ArrayList<>();
    MarkQuery query = MarkQuery.first(key("any").scope(), kind, size);
    List<Mark> page = store().list(query);
    while (!page.isEmpty()) {
      page.forEach(mark -> seen.add(mark.key()));
      query = query.next(page.get(page.size() - 1));
      page = store().list(query);
    }
    return seen;
  }

  @Test
  void the_few_open_ones_are_found_at_both_ends_and_in_pages() {
    Claim last = claimed("last");
    fill(DONE);
    fixture.advance(Duration.ofSeconds(-DONE / 10 - 60));
    List<Claim> first =
        IntStream.range(0, 5).mapToObj(i -> claimed("first" + i)).toList();
    fixture.advance(Duration.ofSeconds(DONE / 10 + 60).plus(LEASE.multipliedBy(2)));

    List<MessageKey> seen = pages(Kind.STALE, 2);

    assertThat(seen).hasSize(6).endsWith(last.key());
    assertThat(seen).containsAll(first.stream().map(Claim::key).toList());
  }

  @Test
  void each_kind_is_found() {
    Claim dead = claimed("dead");
    Claim doubtful = claimed("doubtful");
    store().settle(List.of(new Settlement(dead, new Verdict.Dead("no such customer"))));
    store().settle(List.of(new Settlement(doubtful, new Verdict.Retry(LEASE, true))));
    fill(DONE);

    assertThat(pages(Kind.DEAD, 10)).containsExactly(dead.key());
    assertThat(pages(Kind.IN_DOUBT, 10)).containsExactly(doubtful.key());
    assertThat(pages(Kind.STALE, 10)).isEmpty();
  }

  @Test
  void a_statement_reads_a_bounded_part_of_the_table() throws SQLException {
    claimed("stale");
    fill(DONE);
    fixture.advance(LEASE.multipliedBy(2));
    try (Connection real = fixture.pool().getConnection()) {
      SingleConnection counting = new SingleConnection(real);
      JdbcDedupStore store = fixture.storeOn(counting);
      store.setClockOffset(LEASE.multipliedBy(2));
      counting.statements();

      store.list(MarkQuery.first(key("any").scope(), Kind.STALE, 10));

      assertThat(counting.statements())
          .hasSizeBetween(2 * (DONE / Listing.WINDOW), 2 * (DONE / Listing.WINDOW + 2));
    }
  }
}
