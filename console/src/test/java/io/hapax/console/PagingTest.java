package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.http.Response;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests lists that are longer than a page. */
class PagingTest extends ConsoleFixture {

  /** The link of the next page. Other addresses have the position of this page. */
  private static final Pattern NEXT = Pattern.compile("hx-get=\"[^\"]*after=([\\w.%-]+)");

  private static final Pattern ID = Pattern.compile("/id\\?id=(order-\\d+)");
  private static final int MARKS = 2_350;
  private static final int PAGE = 100;

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
  private final InMemoryDedupStore marks = new InMemoryDedupStore(now::get, Duration.ofDays(8));

  @Override
  Deployment deployment() {
    return Deployment.of(Marks.CONSUMER, marks);
  }

  private void stale(int count) {
    for (int from = 0; from < count; from += MarkQuery.MAX_LIMIT) {
      List<ClaimRequest> requests = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + MarkQuery.MAX_LIMIT); i++) {
        requests.add(Marks.request("order-" + i));
      }
      marks.claim(requests, Duration.ofSeconds(1));
      now.updateAndGet(it -> it.plusSeconds(2));
    }
  }

  private static List<String> ids(String page) {
    return ID.matcher(page).results().map(it -> it.group(1)).distinct().toList();
  }

  private static Optional<String> next(String page) {
    return NEXT.matcher(page).results().map(it -> it.group(1)).findFirst();
  }

  @Test
  void every_mark_is_on_one_page() {
    stale(MARKS);
    Set<String> seen = new HashSet<>();
    String page = Visitor.text(visitor.get("/doubt"));
    int pages = 1;
    Optional<String> next = next(page);
    while (true) {
      List<String> ids = ids(page);
      assertThat(ids.size()).as("page " + pages).isBetween(1, PAGE);
      assertThat(seen).doesNotContainAnyElementsOf(ids);
      seen.addAll(ids);
      if (next.isEmpty()) {
        break;
      }
      page = Visitor.text(visitor.get("/doubt?kind=stale&after=" + next.get()));
      assertThat(page).contains("Back to the oldest");
      next = next(page);
      pages++;
    }
    assertThat(seen).hasSize(MARKS);
    assertThat(pages).isEqualTo(24);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", ".", "1_.0", "1_%2F.0", "-.99999", "1_AAAA", "99999999999999999999_A.0"})
  void a_place_that_does_not_exist_is_refused(String after) {
    Response answer = visitor.get("/doubt?after=" + after);
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void a_blank_filter_is_no_filter_and_blanks_around_one_do_not_count() {
    stale(150);
    String page = Visitor.text(visitor.get("/doubt?kind=stale&filter=+"));

    assertThat(ids(page)).hasSize(PAGE);
    assertThat(next(page)).isPresent();
    page = Visitor.text(visitor.get("/doubt?kind=stale&filter=+order-149+"));
    assertThat(ids(page)).containsExactly("order-149");
  }

  @Test
  void the_json_has_a_limit() {
    assertThat(visitor.get("/json/stale?limit=1001").status()).isEqualTo(400);
    assertThat(visitor.get("/json/stale?limit=x").status()).isEqualTo(400);
    assertThat(visitor.get("/json/stale?kind=none").status()).isEqualTo(400);
    assertThat(visitor.get("/doubt?kind=none").status()).isEqualTo(400);
  }
}
