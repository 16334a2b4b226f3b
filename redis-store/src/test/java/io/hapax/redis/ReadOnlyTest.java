package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks a store for tools that only read. */
@Timeout(60)
class ReadOnlyTest {

  @RegisterExtension
  static final EmptyRedis redis = new EmptyRedis();

  @Test
  void it_leaves_an_empty_server_empty() {
    try (DedupStore store = redis.builder().buildReadOnly();
        DedupStore compact = redis.builder().compact(10_000).buildReadOnly()) {
      assertThat(store.find(List.of(Marks.request("m").key()))).allMatch(it -> it.isEmpty());
      assertThat(store.list(MarkQuery.first("orders", MarkQuery.Kind.DEAD, 10))).isEmpty();
      assertThat(store.now(Marks.request("m").key())).isAfter(Instant.EPOCH);
      assertThat(compact.find(List.of(Marks.request("m").key()))).allMatch(it -> it.isEmpty());
    }

    assertThat(redis.command("DBSIZE")).isEqualTo("0");
  }

  @Test
  void it_reads_the_marks_of_others_and_the_servers_time() {
    try (DedupStore writing = redis.builder().build();
        DedupStore store = redis.builder().buildReadOnly()) {
      Marks.claim(writing, "held");
      MessageKey held = Marks.request("held").key();

      assertThat(store.find(List.of(held)).get(0)).isPresent();
      Instant read = store.now(held);
      Instant later = writing.now(held);
      assertThat(read).isBetween(later.minusSeconds(60), later);
    }
  }

  @Test
  void it_refuses_to_write() {
    try (DedupStore store = redis.builder().buildReadOnly()) {
      ClaimRequest request = Marks.request("m");

      assertThatThrownBy(() -> store.claim(List.of(request), Marks.LEASE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("buildReadOnly()");
      assertThatThrownBy(() -> store.renew(List.of(), Marks.LEASE))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.settle(List.of()))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.resolve(request.key(), 1, MarkState.DEAD, Resolution.REOPEN))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.purge(1)).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void another_layout_than_the_stored_one_is_refused() {
    redis.builder().compact(10_000).build().close();

    assertThatThrownBy(() -> redis.builder().buildReadOnly())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("are laid out as");
  }
}
