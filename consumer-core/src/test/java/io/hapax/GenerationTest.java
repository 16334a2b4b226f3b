package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.internal.Engine;
import io.hapax.internal.EngineSettings;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A consumer's generation, as receivers see it: they stay with one. */
class GenerationTest extends FaultFixture {

  private static final LeaseSettings OFTEN =
      new LeaseSettings(Duration.ofSeconds(30), Duration.ofMillis(20), Duration.ofSeconds(5));
  private static final LeaseSettings SELDOM =
      new LeaseSettings(Duration.ofHours(9), Duration.ofHours(2), Duration.ofSeconds(5));

  private static final StoreLoss LOSS = new StoreLoss("node 7", StoreLoss.Extent.EVERYTHING);

  private final AtomicInteger finds = new AtomicInteger();
  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicBoolean unreadable = new AtomicBoolean();
  private final AtomicBoolean emptied = new AtomicBoolean();
  private final AtomicBoolean hanging = new AtomicBoolean();
  private final AtomicBoolean away = new AtomicBoolean();
  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> moves = new CopyOnWriteArrayList<>();
  private final List<String> idempotencyKeys = new CopyOnWriteArrayList<>();

  /** Counts, and on demand does not let itself be read, or has lost what there is to read. */
  private final DedupStore store = faulty((verb, items, call) -> {
    claims.addAndGet(verb.equals("claim") ? 1 : 0);
    return verb.equals("find")
        ? found(items, call)
        : verb.equals("retention") ? call.go() : answered(call);
  });

  private Object found(List<?> items, Call call) throws Throwable {
    finds.incrementAndGet();
    if (unreadable.get()) {
      throw new StoreException("no permissions to run 'hmget'");
    }
    Object found = emptied.get() ? items.stream().map(any -> Optional.empty()).toList() : call.go();
    if (hanging.get()) {
      hangs.countDown();
      mayAnswer.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return away.get() ? answered(call) : found;
  }

  private Object answered(Call call) throws Throwable {
    if (away.get()) {
      throw new StoreException("connection refused");
    }
    return call.go();
  }

  private IdempotentReceiver<String> receiver(LeaseSettings lease) {
    return open(builder()
        .lease(lease)
        .listener(new ReceiverListener() {
          @Override
          public void onGenerationMoved(int was, int now) {
            moves.add(was + " -> " + now);
          }
        })
        .leased(store, delivery -> effects.add(delivery.message())));
  }

  private static void handled(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    assertThat(receiver.receive(lane("p0", messages), PATIENCE)).allMatch(Outcome::mayAcknowledge);
  }

  private void move(int expected) {
    assertThat(Generations.advance(marks, SCOPE, expected))
        .isEqualTo(new GenerationMove.Moved(expected + 1));
  }

  private static String awaitTrouble(IdempotentReceiver<String> receiver) {
    Awaitility.await().atMost(PATIENCE).until(() -> receiver.trouble().isPresent());
    return receiver.trouble().orElseThrow();
  }

  private MarkState state(int generation, String id) {
    MessageKey key = MessageKey.of(new ConsumerScope(SCOPE, generation).joined(), id);
    return marks.find(List.of(key)).get(0).orElseThrow().state();
  }

  @Test
  void before_the_first_move_marks_are_kept_under_the_consumers_name_alone() throws Exception {
    handled(receiver(OFTEN), "a");

    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(Generations.scope(marks, SCOPE)).isEqualTo(SCOPE);
  }

  @Test
  void what_was_done_runs_again_once_its_generation_was_moved_on_a_stopped_group()
      throws Exception {
    IdempotentReceiver<String> before = receiver(OFTEN);
    handled(before, "a", "b");
    before.close();
    move(0);

    IdempotentReceiver<String> after = receiver(OFTEN);
    handled(after, "a", "b");
    handled(after, "a");

    assertThat(effects).containsExactly("a", "b", "a", "b");
    assertThat(state(1, "a")).isEqualTo(MarkState.DONE);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_receiver_that_runs_while_its_generation_moves_claims_nothing_any_more() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");
    move(0);

    assertThat(awaitTrouble(receiver))
        .isEqualTo("generation of consumer orders moved from 0 to 1 while this receiver runs:"
            + " restart it");
    int sent = claims.get();
    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b"), Duration.ofMillis(50));

    assertThat(outcomes)
        .allMatch(it -> it instanceof Outcome.Deferred deferred
            && deferred.reason() == Outcome.Reason.ABANDONED);
    assertThat(claims).hasValue(sent);
    assertThat(effects).containsExactly("a");
    assertThat(moves).containsExactly("0 -> 1");
    assertThat(receiver.health().well()).isFalse();
    handled(receiver(OFTEN), "b");
  }

  @Test
  void when_its_generation_moves_a_running_handler_ends_and_what_has_not_started_is_given_back()
      throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder().lease(OFTEN).leased(store, delivery -> {
      running.countDown();
      mayEnd.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }));
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    DedupStore blind = faulty((verb, items, call) -> verb.equals("list") ? List.of() : call.go());
    assertThat(Generations.advance(blind, SCOPE, 0)).isEqualTo(new GenerationMove.Moved(1));

    awaitTrouble(receiver);
    Awaitility.await().atMost(PATIENCE).until(() -> state(0, "b") == MarkState.RETRY);
    mayEnd.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(outcomes.seen.get(0))
        .hasOnlyElementsOfType(Outcome.Executed.class)
        .hasSize(1);
    assertThat(outcomes.seen.get(1))
        .hasOnlyElementsOfType(Outcome.Deferred.class)
        .hasSize(1);
    assertThat(state(0, "a")).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_generation_that_the_store_has_lost_is_not_taken_for_one_that_never_moved()
      throws Exception {
    move(0);
    move(1);
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    emptied.set(true);

    assertThat(awaitTrouble(receiver))
        .contains("generation of consumer orders was 2 and is 0", "the store has lost it");
    assertThat(receiver.receive(lane("p0", "a"), Duration.ofMillis(50)))
        .noneMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactly("a");
    assertThat(moves).containsExactly("2 -> 0");
  }

  @Test
  void messages_wait_while_the_generation_cannot_be_read_and_run_once_it_can() throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes outcomes = new Outcomes(2);
    Submission submission = receiver.submit(lane("p0", "a", "b"), outcomes);
    assertThat(awaitTrouble(receiver)).contains("read the generation", "no permissions");
    assertThat(receiver.health().storeReachable()).isFalse();
    assertThat(claims).hasValue(0);

    unreadable.set(false);

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(effects).containsExactly("a", "b");
    assertThat(outcomes.seen).allMatch(it -> it.size() == 1);
    assertThat(receiver.trouble()).isEmpty();
  }

  @Test
  void who_gives_up_before_the_generation_could_be_read_has_its_outcomes_at_once()
      throws Exception {
    unreadable.set(true);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    Outcomes abandoned = new Outcomes(1);
    Outcomes closed = new Outcomes(1);
    Submission first = receiver.submit(lane("p0", "a"), abandoned);
    Submission second = receiver.submit(lane("p1", "b"), closed);
    awaitTrouble(receiver);

    first.abandon();
    assertThat(first.await(PATIENCE)).isTrue();
    receiver.close();

    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(abandoned.seen.get(0))
        .hasOnlyElementsOfType(Outcome.Deferred.class)
        .hasSize(1);
    assertThat(closed.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class).hasSize(1);
    assertThat(effects).isEmpty();
  }

  @Test
  void a_generation_that_cannot_be_read_for_a_while_is_a_trouble_and_stops_nothing()
      throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    unreadable.set(true);
    assertThat(awaitTrouble(receiver)).contains("generation of consumer orders could not be read");
    handled(receiver, "b");

    unreadable.set(false);
    Awaitility.await().atMost(PATIENCE).until(() -> receiver.trouble().isEmpty());
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_process_that_was_stopped_for_long_reads_the_generation_before_it_claims()
      throws Exception {
    Engine<String> engine =
        engine(SELDOM, nanos::get, store, delivery -> effects.add(delivery.message()));
    engine.receive(lane("p0", "a"), PATIENCE);
    int sent = claims.get();
    move(0);

    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    Submission submission = engine.submit(lane("p0", "b"), new Outcomes(1));
    Awaitility.await().atMost(PATIENCE).until(() -> !engine.health().well());
    submission.abandon();

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(claims).hasValue(sent);
    assertThat(effects).containsExactly("a");
  }

  private Engine<String> failingOpen(Duration patience) {
    sparing = new EngineSettings.Sparing(Optional.empty(), StoreOutagePolicy.failOpen(patience));
    return engine(SELDOM, nanos::get, store, delivery -> {
      effects.add(delivery.message());
      idempotencyKeys.add(delivery.idempotencyKey());
    });
  }

  private void awaitFinds(int more) {
    int before = finds.get();
    Awaitility.await().atMost(PATIENCE).until(() -> finds.get() >= before + more);
  }

  @Test
  void before_the_generation_was_read_nothing_runs_without_a_mark_whatever_the_user_says()
      throws Exception {
    move(0);
    away.set(true);
    Engine<String> engine = failingOpen(Duration.ofSeconds(10));
    Outcomes outcomes = new Outcomes(1);
    engine.submit(lane("p0", "a"), outcomes);
    for (int i = 0; i < 4; i++) {
      awaitFinds(2);
      nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    }
    awaitFinds(2);
    assertThat(effects).isEmpty();

    away.set(false);

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(state(1, "a")).isEqualTo(MarkState.DONE);
    assertThat(idempotencyKeys)
        .containsExactly(HexFormat.of().formatHex(MessageKey.of("orders#1", "a").storeKey()));
  }

  @Test
  void a_reading_that_hangs_holds_up_nothing_once_the_store_is_not_waited_for_any_more()
      throws Exception {
    Engine<String> engine = failingOpen(Duration.ofSeconds(30));
    engine.receive(lane("p0", "a"), PATIENCE);
    hanging.set(true);
    away.set(true);
    Outcomes asked = new Outcomes(1);
    engine.submit(lane("p1", "b"), asked);
    Awaitility.await().until(() -> engine.health().troubles().size() == 1);
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Outcomes held = new Outcomes(1);
    engine.submit(lane("p2", "c"), held);

    AtomicInteger counted = new AtomicInteger(claims.get());
    Awaitility.await().atMost(PATIENCE).until(() -> {
      if (asked.seen.get(0).isEmpty() && counted.getAndSet(claims.get()) < claims.get()) {
        nanos.addAndGet(Duration.ofSeconds(15).toNanos()); // it was asked, and is away
      }
      return !asked.seen.get(0).isEmpty() && !held.seen.get(0).isEmpty();
    });
    assertThat(engine.receive(lane("p3", "d"), PATIENCE))
        .hasOnlyElementsOfType(Outcome.Unprotected.class);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
    mayAnswer.countDown();
  }

  @Test
  void a_reading_that_hangs_is_a_trouble() throws Exception {
    IdempotentReceiver<String> receiver = receiver(OFTEN);
    handled(receiver, "a");

    hanging.set(true);

    assertThat(awaitTrouble(receiver))
        .contains("generation of consumer orders could not be read: no answer yet after");
    hanging.set(false);
    mayAnswer.countDown();
    Awaitility.await().atMost(PATIENCE).until(() -> receiver.trouble().isEmpty());
  }

  @Test
  void a_loss_that_is_told_while_it_is_read_has_it_read_again() throws Exception {
    move(0);
    IdempotentReceiver<String> receiver = receiver(SELDOM);
    handled(receiver, "a");
    hanging.set(true);
    listeners.onDataLost(LOSS);
    assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    emptied.set(true);
    listeners.onDataLost(LOSS);
    hanging.set(false);
    mayAnswer.countDown();

    assertThat(awaitTrouble(receiver)).contains("generation of consumer orders was 1 and is 0");
  }

  @Test
  void a_claim_that_a_stop_held_up_is_not_sent_again_under_a_generation_that_has_moved()
      throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch mayFail = new CountDownLatch(1);
    AtomicBoolean blocks = new AtomicBoolean();
    DedupStore blocking = faulty((verb, items, call) -> {
      claims.addAndGet(verb.equals("claim") ? 1 : 0);
      if (verb.equals("claim") && blocks.get()) {
        sent.countDown();
        mayFail.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        throw new StoreException("no answer in time");
      }
      return call.go();
    });
    Engine<String> engine =
        engine(SELDOM, nanos::get, blocking, delivery -> effects.add(delivery.message()));
    engine.receive(lane("p0", "a"), PATIENCE);
    blocks.set(true);
    Outcomes outcomes = new Outcomes(1);
    engine.submit(lane("p0", "b"), outcomes);
    assertThat(sent.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    int before = claims.get();

    move(0);
    nanos.addAndGet(Duration.ofSeconds(21).toNanos());
    blocks.set(false);
    mayFail.countDown();

    assertThat(outcomes.awaitFirst()).isTrue();
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Deferred.class);
    assertThat(claims).hasValue(before);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void the_generation_is_read_once_and_not_for_each_submission() throws Exception {
    IdempotentReceiver<String> receiver = receiver(SELDOM);

    for (int i = 0; i < 50; i++) {
      handled(receiver, "m" + i);
    }

    assertThat(finds).hasValue(1);
  }

  @Test
  void a_name_that_ends_like_a_generation_is_refused() {
    for (String name : List.of("orders#1", "orders#007", "#0", "generations#0")) {
      assertThatThrownBy(() -> Generations.current(marks, name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("consumer name is '" + name + "'");
      assertThatThrownBy(() -> IdempotentReceiver.<String>builder(name)
              .id(text -> Optional.empty())
              .noFingerprint()
              .leased(marks, delivery -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not end with # and digits");
    }
    for (String name : List.of("orders#", "orders#1a", "1", "#1 ", "a#1/b")) {
      assertThat(Generations.current(marks, name)).isZero();
    }
  }

  @Test
  void a_name_that_leaves_no_room_for_a_generation_is_refused_when_it_is_moved() {
    String name = "n".repeat(MessageKey.MAX_SCOPE_BYTES);

    assertThat(Generations.current(marks, name)).isZero();
    assertThatThrownBy(() -> Generations.advance(marks, name, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("#1' but must be 1 to 200 UTF-8 bytes");
    assertThat(Generations.current(marks, name)).isZero();
  }

  @Test
  void a_store_that_does_not_answer_moves_nothing_that_anybody_is_told_of() {
    DedupStore away = faulty((verb, items, call) -> {
      if (verb.equals("settle")) {
        throw new StoreException("0 of 1 replicas had it");
      }
      return call.go();
    });

    assertThatThrownBy(() -> Generations.advance(away, SCOPE, 0))
        .isInstanceOf(StoreException.class);
    assertThat(Generations.current(marks, SCOPE)).as("it may have been moved").isEqualTo(1);
    assertThat(Generations.advance(marks, SCOPE, 0)).isEqualTo(new GenerationMove.Unexpected(1));
  }
}
