package io.hapax.testkit;

import static io.hapax.testkit.Bench.withFingerprint;
import static io.hapax.testkit.Bench.withPayload;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Done;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The look-up before a transaction. A message that is found is acknowledged without a transaction,
 * so each wrong answer is a lost message.
 */
interface FindDoneContract<T> extends TransactionalBench<T> {

  private Optional<Done> findDone(ClaimRequest request) {
    return Bench.only(store().findDone(List.of(request)));
  }

  private Optional<Done> findDone(String id) {
    return findDone(request(id));
  }

  @Test
  default void a_done_message_is_found_as_a_transaction_answers_it() throws Exception {
    runOnce(request("transactional"));
    settled("leased", RECEIPT);
    ClaimRequest transactional = request("transactional");
    ClaimRequest leased = request("leased");

    List<Optional<Done>> found =
        other().findDone(List.of(leased, request("absent"), transactional));

    assertThat(found)
        .containsExactly(Optional.of((Done) runOnce(leased)), Optional.empty(), Optional.of((Done)
            runOnce(transactional)));
    assertThat(found.get(0).orElseThrow().result()).isEqualTo(Bytes.utf8("receipt 7"));
  }

  @Test
  default void a_request_is_found_as_its_own_if_its_commit_was_not_answered() throws Exception {
    ClaimRequest request = request("m");
    runOnce(request);

    assertThat(findDone(request).orElseThrow().own()).isTrue();
    assertThat(findDone("m").orElseThrow().own()).isFalse();
  }

  @Test
  default void a_mark_that_is_not_done_is_not_found() {
    held("lost");
    expireLease();
    held("held");
    settled("later", RETRY_LATER);
    settled("due", RETRY_NOW);
    settled("dead", DEAD);
    long token = settled("reopened", DONE).token();
    store().resolve(key("reopened"), token, MarkState.DONE, Resolution.REOPEN);
    assertFails(List.of(request("rolled back")), new WorkFailedException());

    for (String id :
        List.of("absent", "lost", "held", "later", "due", "dead", "reopened", "rolled back")) {
      assertThat(findDone(id)).as(id).isEmpty();
    }
  }

  @Test
  default void a_done_mark_of_another_payload_is_not_found() {
    settled("m", DONE);

    assertThat(findDone(withPayload(request("m"), "another"))).isEmpty();
  }

  @Test
  default void a_message_without_a_fingerprint_is_found() {
    settled("m", DONE);

    assertThat(findDone(withFingerprint(request("m"), Fingerprint.NONE))).isPresent();
  }

  @Test
  default void a_done_mark_that_has_outlived_its_retention_is_not_found() {
    settled("m", DONE);
    advance(fixture().retention().minusMinutes(10));
    assertThat(findDone("m")).isPresent();

    advance(Duration.ofMinutes(11));

    assertThat(findDone("m")).isEmpty();
    assertThat(state("m")).isEqualTo(MarkState.DONE);
  }

  @Test
  default void a_done_mark_of_another_generation_is_not_found() {
    MessageKey before = MessageKey.of(new ConsumerScope(scope(), 1).joined(), "m");
    MessageKey now = MessageKey.of(new ConsumerScope(scope(), 2).joined(), "m");
    settle(acquire(Bench.request(before)).claim(), DONE);
    settled("m", DONE);

    assertThat(findDone(Bench.request(before))).isPresent();
    assertThat(findDone(Bench.request(now))).isEmpty();
  }

  @Test
  default void a_done_mark_that_was_purged_is_not_found() {
    settled("m", DONE);
    endRetention();
    purgeAll();

    assertThat(findDone("m")).isEmpty();
  }

  @Test
  default void a_request_that_came_too_late_is_not_answered() {
    settled("m", DONE);
    ClaimTerms late = new ClaimTerms(false, false, Instant.EPOCH);

    assertThat(findDone(withTerms(request("m"), late))).isEmpty();
  }

  @Test
  default void a_mark_that_is_not_committed_is_neither_found_nor_waited_for() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    settled("retry", RETRY_NOW);
    List<ClaimRequest> both = List.of(request("fresh"), request("retry"));

    List<List<Object>> answers = ConcurrentRun.atOnce(List.<Callable<List<Object>>>of(
        () -> List.copyOf(store().runOnce(both, effectsThatTake(started, released))), () -> {
          try {
            ConcurrentRun.await(started);
            return findDoneInBothStores(List.of("fresh", "retry"));
          } finally {
            released.countDown();
          }
        }));

    assertThat(answers.get(1)).hasSize(4).containsOnly(Optional.empty());
    assertThat(answers.get(0)).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
    assertThat(findDone("fresh")).isPresent();
  }

  private List<Object> findDoneInBothStores(List<String> ids) {
    List<Object> found = new ArrayList<>();
    for (TransactionalDedupStore<T> store : List.of(store(), other())) {
      found.addAll(store.findDone(requests(ids)));
    }
    return found;
  }

  @Test
  default void a_look_up_changes_no_mark() {
    held("lost");
    expireLease();
    settled("done", DONE);
    settled("due", RETRY_NOW);
    List<String> ids = List.of("lost", "done", "due", "absent");
    List<Mark> before = ids.stream().map(this::mark).toList();

    var unused = store().findDone(requests(ids));

    assertThat(ids).extracting(this::mark).isEqualTo(before);
  }

  @Test
  default void a_large_batch_is_answered_in_the_order_of_its_requests() {
    List<String> ids = Bench.ids(1000);
    settle(held("m7"), DONE);
    settle(held("m998"), DONE);

    List<Optional<Done>> found = store().findDone(requests(ids));

    assertThat(found).hasSize(1000);
    assertThat(IntStream.range(0, 1000).filter(i -> found.get(i).isPresent()))
        .containsExactly(7, 998);
  }

  @Test
  default void an_empty_look_up_finds_nothing() {
    assertThat(store().findDone(List.of())).isEmpty();
  }
}
