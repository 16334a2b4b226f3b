package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalMariaDb;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches that are longer than the server takes at once, through either driver. */
@Tag("nightly")
class MariaDbPacketTest extends StoreTests {

  private static final int MARKS = 400;
  private static final LocalMariaDb SERVER =
      LocalMariaDb.builder().setting("max_allowed_packet", "1M").start();
  private static final String URL = SERVER.createDatabase("marks");
  private static final List<String> URLS = List.of(URL, SERVER.mysqlUrl("marks"));

  @AfterAll
  static void stopServer() {
    SERVER.close();
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(() -> Databases.mariaDb(SERVER, URL));
  }

  /** Some three megabytes, as they are sent. */
  private List<ClaimRequest> longRequests(String prefix) {
    return IntStream.range(0, MARKS)
        .mapToObj(i -> request(prefix + i + "x".repeat(4000)))
        .toList();
  }

  @Test
  void a_batch_that_is_too_long_for_one_statement_goes_in_several() {
    Bytes result = Bytes.utf8("r".repeat(4000));
    for (String url : URLS) {
      try (HikariDataSource pool = Databases.mariaDb(SERVER, url)) {
        JdbcDedupStore store = fixture.storeOn(pool);

        List<Claim> claims = claimed(store, longRequests(url));
        List<RenewAnswer> renewed = store.renew(claims, LEASE);
        List<SettleAnswer> settled = settle(store, claims, new Verdict.Done(result));

        assertThat(renewed).hasSize(MARKS).hasOnlyElementsOfType(RenewAnswer.Renewed.class);
        assertThat(settled).hasSize(MARKS).containsOnly(new SettleAnswer.Settled(false));
        assertThat(store.find(claims.stream().map(Claim::key).toList()))
            .extracting(Optional::orElseThrow)
            .allMatch(mark -> mark.state() == MarkState.DONE)
            .extracting(Mark::detail)
            .containsOnly(result);
        assertThat(store.claim(longRequests(url), LEASE))
            .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      }
    }
  }

  /** A DONE mark has no use for the id: it takes more of them. */
  @Test
  void so_does_one_that_is_done_in_a_transaction_with_its_effects() throws Exception {
    for (String url : URLS) {
      try (HikariDataSource pool = Databases.mariaDb(SERVER, url)) {
        JdbcDedupStore store = fixture.storeOn(pool);
        List<ClaimRequest> requests =
            IntStream.range(0, 5000).mapToObj(i -> request(url + i)).toList();
        String id = url.split(":", 3)[1];

        List<ClaimAnswer> answers = store.runOnce(
            requests, (connection, same) -> fixture.writeEffect(connection, effect(id)));

        assertThat(answers).hasSameSizeAs(requests).hasOnlyElementsOfType(Acquired.class);
        assertThat(store.find(requests.stream().map(ClaimRequest::key).toList()))
            .extracting(Optional::orElseThrow)
            .allMatch(mark -> mark.state() == MarkState.DONE);
        assertThat(effects(id)).isOne();
      }
    }
  }

  /** Otherwise a claim that no process knows would hold the mark. */
  @Test
  void claims_made_before_a_later_part_meets_a_lock_are_returned() throws Exception {
    List<ClaimRequest> requests = longRequests("locked");
    ClaimRequest last =
        requests.stream().max((one, other) -> one.key().compareTo(other.key())).orElseThrow();
    Holder<?> holder = holder(hold ->
        fixture.other().runOnce(List.of(last), (connection, answers) -> hold.in(connection)));

    List<ClaimAnswer> answers = store().claim(requests, LEASE);
    holder.end();

    List<Claim> told = answers.stream()
        .filter(Acquired.class::isInstance)
        .map(answer -> ((Acquired) answer).claim())
        .toList();
    List<Claim> held = store().find(requests.stream().map(ClaimRequest::key).toList()).stream()
        .flatMap(Optional::stream)
        .filter(mark -> mark.state() == MarkState.PROCESSING)
        .map(Mark::claim)
        .toList();
    assertThat(told).hasSizeBetween(1, MARKS - 1).hasSameElementsAs(held);
  }

  @Test
  void a_mark_that_is_too_long_is_refused_with_the_settings_name() {
    Verdict tooLong = new Verdict.Done(Bytes.utf8("r".repeat(600_000)));
    List<Settlement> settlements = List.of(
        new Settlement(claimed("a"), tooLong),
        new Settlement(claimed("b"), Verdict.Done.WITHOUT_RESULT));

    assertThatThrownBy(() -> store().settle(settlements))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("max_allowed_packet is 1048576 bytes");

    assertThat(List.of("a", "b")).extracting(this::state).containsOnly(MarkState.PROCESSING);
  }
}
