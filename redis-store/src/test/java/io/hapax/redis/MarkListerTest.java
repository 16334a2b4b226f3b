package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks lists that take more than one script. */
@Timeout(60)
class MarkListerTest {

  private static List<List<Mark>> pages(RedisDedupStore store, MarkQuery.Kind kind, int size) {
    List<List<Mark>> pages = new ArrayList<>();
    MarkQuery query = MarkQuery.first("orders", kind, size);
    for (List<Mark> page = store.list(query);
        !page.isEmpty();
        page = store.list(query.next(page.get(page.size() - 1)))) {
      pages.add(page);
    }
    return pages;
  }

  @Test
  void stale_marks_are_listed_in_order_in_pages_without_leased_ones() {
    try (RedisFixture fixture = RedisFixture.at(Place.SERVER)) {
      RedisDedupStore store = fixture.store();
      List<ClaimRequest> left = Marks.requests("left", 1200);
      store.claim(left, Marks.LEASE);
      fixture.advance(Marks.LEASE.plusSeconds(1));
      store.claim(Marks.requests("at work", 900), Marks.LEASE);

      List<List<Mark>> pages = pages(store, MarkQuery.Kind.STALE, 500);

      assertThat(pages).extracting(List::size).containsExactly(500, 500, 200);
      assertThat(pages.stream().flatMap(List::stream).map(Mark::key))
          .containsExactlyElementsOf(
              left.stream().map(ClaimRequest::key).sorted().toList());
    }
  }

  @Test
  void indexed_marks_are_listed_in_order_in_pages_over_all_shards() {
    try (RedisFixture fixture = RedisFixture.at(Place.CLUSTER)) {
      RedisDedupStore store = fixture.store();
      List<Claim> claims = store.claim(Marks.requests("m", 700), Marks.LEASE).stream()
          .map(Marks::claim)
          .toList();
      store.settle(claims.subList(0, 400).stream()
          .map(it -> new Settlement(it, new Verdict.Retry(Duration.ZERO, true)))
          .toList());
      store.settle(claims.subList(400, 700).stream()
          .map(it -> new Settlement(it, new Verdict.Dead("why")))
          .toList());
      store.claim(Marks.requests("m", 200), Marks.LEASE); // in doubt, and claimed again

      assertThat(listed(store, MarkQuery.Kind.IN_DOUBT))
          .containsExactlyElementsOf(sorted(claims.subList(0, 400)));
      assertThat(listed(store, MarkQuery.Kind.DEAD))
          .containsExactlyElementsOf(sorted(claims.subList(400, 700)));
      assertThat(listed(store, MarkQuery.Kind.STALE)).isEmpty();
    }
  }

  private static List<MessageKey> listed(RedisDedupStore store, MarkQuery.Kind kind) {
    return pages(store, kind, 150).stream().flatMap(List::stream).map(Mark::key).toList();
  }

  private static List<MessageKey> sorted(List<Claim> claims) {
    return claims.stream().map(Claim::key).sorted().toList();
  }

  @Test
  void an_index_that_outlived_its_marks_hides_marks_claimed_since() {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = RedisDedupStore.builder(Servers.uri(redis)).build()) {
      inDoubt(store, "claimed since");
      inDoubt(store, "failed since");
      redis.command("DEL", "hapax{0}resting:orders");
      Claim fresh = Marks.claim(store, "claimed since");
      Claim certain = Marks.claim(store, "failed since");
      store.settle(List.of(new Settlement(certain, new Verdict.Retry(Duration.ZERO, false))));
      inDoubt(store, "stands");

      assertThat(listed(store, MarkQuery.Kind.IN_DOUBT))
          .containsExactly(MessageKey.of("orders", "stands"));
      assertThat(fresh.attempt().number()).isEqualTo(1);
    }
  }

  @Test
  void an_index_drops_marks_that_are_no_longer_in_doubt_or_dead() {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = RedisDedupStore.builder(Servers.uri(redis)).build()) {
      List<Claim> claims = List.of(Marks.claim(store, "in doubt"), Marks.claim(store, "dead"));
      store.settle(List.of(
          new Settlement(claims.get(0), new Verdict.Retry(Duration.ZERO, true)),
          new Settlement(claims.get(1), new Verdict.Dead("why"))));
      assertThat(redis.command("ZCARD", "hapax{0}doubt:orders")).isEqualTo("1");
      assertThat(redis.command("ZCARD", "hapax{0}dead:orders")).isEqualTo("1");

      Marks.settleDone(store, Marks.claim(store, "in doubt"));
      store.resolve(claims.get(1).key(), claims.get(1).token(), MarkState.DEAD, Resolution.REOPEN);

      assertThat(redis.command("ZCARD", "hapax{0}doubt:orders")).isEqualTo("0");
      assertThat(redis.command("ZCARD", "hapax{0}dead:orders")).isEqualTo("0");
    }
  }

  private static void inDoubt(RedisDedupStore store, String id) {
    store.settle(List.of(
        new Settlement(Marks.claim(store, id), new Verdict.Retry(Duration.ofHours(1), true))));
  }
}
