package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Submissions that come while claims of others are under way. */
class ClaimsTogetherTest extends FaultFixture {

  private final CountedCallers callers = new CountedCallers();
  private final List<Set<String>> claims = new CopyOnWriteArrayList<>();
  private final CountDownLatch twoUnderWay = new CountDownLatch(2);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch releaseThoseAfterFailure = new CountDownLatch(1);
  private final AtomicBoolean failed = new AtomicBoolean();

  /** Holds claims until the test releases them. */
  private final DedupStore store = faulty((verb, items, call) -> {
    if (!verb.equals("claim")) {
      return call.go();
    }
    Set<String> ids = items.stream().map(FaultFixture::idOf).collect(Collectors.toSet());
    if (ids.contains("before")) {
      return call.go();
    }
    claims.add(ids);
    twoUnderWay.countDown();
    release.await();
    if (ids.size() > 1 && ids.contains("poison")) {
      failed.set(true);
      throw new StoreException("a row that no trigger lets pass");
    }
    if (failed.get()) {
      releaseThoseAfterFailure.await();
    }
    return call.go();
  });

  private final Engine<String> engine =
      opened(machine(callers).leased(engineSettings(LeaseSettings.DEFAULT), store, this::record));

  @AfterEach
  void letGo() {
    release.countDown();
    releaseThoseAfterFailure.countDown();
  }

  private Submission submit(String message) {
    return engine.submit(lane(message, message), IGNORED);
  }

  /** Two whose claims are held, and then others, which wait for one of the two. */
  private List<Submission> submitBehindTwo(String... messages) throws Exception {
    engine.receive(lane("before", "before"), PATIENCE); // and the generation is known
    submit("first");
    eventually(() -> twoUnderWay.getCount() == 1); // or they go together
    submit("second");
    assertThat(twoUnderWay.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    List<Submission> waiting = Stream.of(messages).map(this::submit).toList();
    eventually(() -> callers.underway() == 2);
    return waiting;
  }

  private static void assertOver(List<Submission> submissions) throws Exception {
    for (Submission submission : submissions) {
      awaitAll(submission);
    }
  }

  @Test
  void submissions_during_two_claims_are_claimed_in_one_call() throws Exception {
    List<Submission> waiting = submitBehindTwo("a", "b", "c");
    assertThat(claims).containsExactlyInAnyOrder(Set.of("first"), Set.of("second"));

    release.countDown();

    assertOver(waiting);
    assertThat(claims.subList(2, claims.size())).containsExactly(Set.of("a", "b", "c"));
    assertThat(effects).contains("a", "b", "c");
  }

  @Test
  void a_call_for_several_submissions_has_at_most_500_claims() throws Exception {
    List<Submission> waiting = new ArrayList<>(submitBehindTwo());
    for (String name : List.of("a", "b", "c")) {
      String[] many = IntStream.range(0, 300).mapToObj(i -> name + i).toArray(String[]::new);
      waiting.add(engine.submit(lane(name, many), IGNORED));
    }
    eventually(() -> callers.underway() == 2);

    release.countDown();

    assertOver(waiting);
    assertThat(claims.subList(2, claims.size()))
        .extracting(Set::size)
        .containsExactly(300, 300, 300);
  }

  @Test
  @DisplayName("invariant 14: a claim that the store never takes holds no other back")
  void each_submission_goes_by_itself_after_the_call_for_all_has_failed() throws Exception {
    List<Submission> waiting = submitBehindTwo("a", "poison", "c");

    release.countDown();

    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(claims.subList(2, claims.size()))
            .containsExactlyInAnyOrder(
                Set.of("a", "poison", "c"), Set.of("a"), Set.of("poison"), Set.of("c")));
    releaseThoseAfterFailure.countDown();
    assertOver(waiting);
    assertThat(effects).contains("a", "poison", "c");
  }

  @Test
  @DisplayName("invariant 14: a group that cannot be sent is redelivered, and the next is sent")
  void a_group_that_breaks_is_deferred_and_its_call_is_free_again() throws Exception {
    List<Submission> broken = submitBehindTwo("a");
    breaking.set("join");

    release.countDown();

    assertOver(broken);
    assertThat(effects).doesNotContain("a");
    assertOver(List.of(submit("c"), submit("d"), submit("a")));
    assertThat(effects).contains("c", "d", "a");
  }

  @Test
  void one_that_is_given_up_before_its_call_is_not_claimed() throws Exception {
    List<Submission> waiting = submitBehindTwo("a", "b");

    waiting.get(0).abandon();
    release.countDown();

    assertOver(waiting);
    assertThat(claims.subList(2, claims.size())).containsExactly(Set.of("b"));
    assertThat(effects).contains("b").doesNotContain("a");
  }
}
