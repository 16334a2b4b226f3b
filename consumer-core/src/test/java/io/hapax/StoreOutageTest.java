package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.Engine;
import io.hapax.internal.EngineSettings;
import io.hapax.internal.SimulatedMachine;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a receiver does that was told to go on without its store. */
class StoreOutageTest extends FailOpenFixture {

  private static final long ONE_SECOND = 1000;

  /** The generation's reading is looked after once. */
  private static final int LOOKS = 1;

  private final List<Delivery<String>> deliveries = new CopyOnWriteArrayList<>();

  private final DedupStore store = faulty((verb, items, call) -> {
    note(verb, items);
    if (away) {
      failures.incrementAndGet();
      throw new StoreException("connection refused");
    }
    return call.go();
  });

  private Engine<String> recording(DedupStore over) {
    return ready(engine(LeaseSettings.DEFAULT, nanos::get, over, delivery -> {
      deliveries.add(delivery);
      effects.add(delivery.message());
    }));
  }

  private static Outcomes submit(Engine<String> engine, String... messages) {
    Outcomes outcomes = new Outcomes(messages.length);
    engine.submit(lane("p0", messages), outcomes);
    return outcomes;
  }

  private void awaitFailures(int count) {
    int before = failures.get();
    Awaitility.await().atMost(PATIENCE).until(() -> failures.get() >= before + count);
  }

  private static void awaitOutcomes(Outcomes outcomes) {
    Awaitility.await().atMost(PATIENCE).until(() -> ended(outcomes));
  }

  private static boolean ended(Outcomes outcomes) {
    return outcomes.seen.stream().noneMatch(List::isEmpty);
  }

  /** Time passes, and time and again the store is found away, until the messages go on. */
  private void staysAwayUntil(Outcomes outcomes) {
    AtomicInteger counted = new AtomicInteger();
    Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> {
      if (!ended(outcomes) && counted.getAndSet(failures.get()) < failures.get()) {
        nanos.addAndGet(HALF.toNanos());
      }
      return ended(outcomes);
    });
  }

  /** An engine whose store has been away for longer than it waits. */
  private Engine<String> open(DedupStore over) {
    return open(recording(over));
  }

  private Engine<String> open(Engine<String> engine) {
    away = true;
    Outcomes first = submit(engine, "first");
    staysAwayUntil(first);
    return engine;
  }

  @Test
  void once_the_store_has_been_away_for_too_long_a_message_runs_without_a_mark() throws Exception {
    open(store);

    assertThat(effects).containsExactly("first");
    assertThat(bypassed).containsExactly("NOT_CLAIMED first");
    assertThat(marks.find(List.of(key("first"))).get(0)).isEmpty();
  }

  @Test
  void until_the_patience_is_over_nothing_runs() {
    Engine<String> engine = recording(store);
    away = true;
    Outcomes waiting = submit(engine, "a");
    awaitFailures(1);

    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    awaitFailures(2);
    assertThat(effects).isEmpty();
    assertThat(waiting.seen.get(0)).isEmpty();

    nanos.addAndGet(1);
    awaitOutcomes(waiting);
    assertThat(bypassed).containsExactly("NOT_CLAIMED a");
  }

  @Test
  void a_handler_is_told_that_nothing_protects_it() {
    open(store);

    assertThat(deliveries).singleElement().satisfies(delivery -> {
      assertThat(delivery.isProtected()).isFalse();
      assertThat(delivery.fencingToken()).isZero();
      assertThat(delivery.attempt()).isZero();
      assertThat(delivery.isCurrent()).isFalse();
      assertThat(delivery.leaseRemaining()).isZero();
      assertThat(delivery.leaseLost().toCompletableFuture()).isNotDone();
      assertThat(delivery.messageId()).isEqualTo("first");
    });
  }

  @Test
  void while_it_is_away_nobody_waits_for_it_again() throws Exception {
    Engine<String> engine = open(store);

    assertThat(engine.receive(lane("p0", "a", "b"), PATIENCE))
        .containsOnly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(claimed).doesNotContain("a", "b");
    assertThat(engine.health().troubles())
        .contains("the store is bypassed: messages run without marks");
  }

  @Test
  void once_the_store_answers_messages_are_protected_again() throws Exception {
    Engine<String> engine = open(store);

    away = false; // which is found out by asking, since no message needs it
    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());

    assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(deliveries.get(1).isProtected()).isTrue();
  }

  @Test
  void an_outage_that_is_over_does_not_count_for_the_next_one() {
    Engine<String> engine = recording(store);
    away = true;
    Outcomes first = submit(engine, "a");
    awaitFailures(1);
    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    away = false;
    awaitOutcomes(first);

    away = true;
    submit(engine, "b");
    awaitFailures(1);
    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    awaitFailures(2);

    assertThat(effects).containsExactly("a");
    assertThat(bypassed).isEmpty();
  }

  @Test
  void what_has_run_but_cannot_be_settled_goes_on_and_its_mark_is_written_later() {
    Engine<String> engine = engine(LeaseSettings.DEFAULT, nanos::get, store, delivery -> {
      effects.add(delivery.message());
      away = true;
    });
    Outcomes outcomes = submit(engine, "a");
    awaitFailures(1);
    assertThat(outcomes.seen.get(0)).isEmpty();

    staysAwayUntil(outcomes);
    assertThat(outcomes.seen.get(0)).containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(bypassed).containsExactly("NOT_SETTLED a");

    away = false;
    Awaitility.await().atMost(PATIENCE).until(() -> mark("a").state() == MarkState.DONE);
    assertThat(outcomes.seen.get(0)).hasSize(1);
  }

  @Test
  void a_message_that_fails_comes_again_and_no_attempt_is_counted() throws Exception {
    Engine<String> engine = ready(engine(LeaseSettings.DEFAULT, nanos::get, store, delivery -> {
      throw new IllegalStateException("refused");
    }));
    away = true;
    Outcomes outcomes = submit(engine, "a");
    staysAwayUntil(outcomes);

    for (int i = 0; i < 4; i++) {
      assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
          .isInstanceOfSatisfying(
              Outcome.Deferred.class,
              it -> assertThat(it.reason()).isEqualTo(Outcome.Reason.RETRY));
    }
    assertThat(buried).isEmpty();
  }

  @Test
  void a_message_that_no_attempt_can_mend_is_dead_lettered_all_the_same() throws Exception {
    Engine<String> engine = ready(engine(LeaseSettings.DEFAULT, nanos::get, store, delivery -> {
      throw new RejectedMessageException("not like this");
    }));
    away = true;
    Outcomes outcomes = submit(engine, "a");
    staysAwayUntil(outcomes);

    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }

  @Test
  void a_handler_for_many_gets_one_at_a_time_so_that_a_bad_one_spoils_no_other() {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    Engine<String> engine = ready(
        batchEngine(LeaseSettings.DEFAULT, nanos::get, store, many -> sizes.add(many.size())));
    away = true;
    Outcomes outcomes = submit(engine, "a", "b", "c");
    staysAwayUntil(outcomes);

    assertThat(sizes).containsExactly(1, 1, 1);
  }

  @Test
  void the_same_id_twice_in_a_poll_runs_once_even_then() throws Exception {
    Engine<String> engine = open(store);

    assertThat(engine.receive(lane("p0", "a", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY), new Outcome.Duplicate());
    assertThat(effects).containsExactly("first", "a");
  }

  @Test
  void what_is_remembered_to_be_done_does_not_run_even_then() throws Exception {
    sparing = new EngineSettings.Sparing(
        Optional.of(new DoneCacheSettings(10, Duration.ofMinutes(5))),
        StoreOutagePolicy.failOpen(PATIENT));
    Engine<String> engine = recording(store);
    engine.receive(lane("p0", "a"), PATIENCE);
    away = true;
    Outcomes outcomes = submit(engine, "b");
    staysAwayUntil(outcomes);

    assertThat(engine.receive(lane("p0", "a"), PATIENCE)).containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("a", "b");
  }

  /** A store of two nodes; ids with a b live on the one that is away. */
  private DedupStore halfAway() {
    return faulty((verb, items, call) -> {
      if (!verb.equals("claim")) {
        return call.go();
      }
      List<Object> answers = new ArrayList<>((List<?>) call.go());
      for (int i = 0; i < items.size(); i++) {
        if (((ClaimRequest) items.get(i)).key().id().toString().contains("b")) {
          answers.set(i, new ClaimAnswer.Unavailable("node 7 is away"));
          failures.incrementAndGet();
        }
      }
      return answers;
    });
  }

  @Test
  void of_a_store_in_parts_only_what_lies_behind_the_one_that_is_away_goes_unprotected()
      throws Exception {
    Engine<String> engine = recording(halfAway());
    Outcomes outcomes = new Outcomes(2);
    engine.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    awaitFailures(1);

    nanos.addAndGet(HALF.toNanos());
    awaitFailures(2);
    nanos.addAndGet(HALF.toNanos() - 1);
    engine.receive(lane("p2", "c"), PATIENCE); // the others answer all the time
    awaitFailures(2);
    assertThat(outcomes.seen.get(1)).isEmpty();
    nanos.addAndGet(1);
    awaitOutcomes(outcomes);

    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(engine.receive(lane("p2", "d"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(bypassed).containsExactly("NOT_CLAIMED b");
  }

  @Test
  void that_it_is_back_is_found_out_though_it_answered_for_another_message_meanwhile()
      throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Semaphore refusals = new Semaphore(0);
    Engine<String> engine = recording(faulty((verb, items, call) -> {
      boolean both = verb.equals("claim") && items.size() == 2;
      if (away) {
        if (both) {
          asked.incrementAndGet();
          refusals.acquire();
        }
        throw new StoreException("connection refused");
      }
      Object said = call.go();
      return both
          ? List.of(((List<?>) said).get(0), new ClaimAnswer.Unavailable("node 7 is away"))
          : said;
    }));
    engine.receive(lane("p0", "a"), PATIENCE);
    away = true;
    Outcomes outcomes = new Outcomes(2);
    engine.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    Awaitility.await().atMost(PATIENCE).until(() -> asked.get() == 1);
    nanos.addAndGet(HALF.toNanos());
    refusals.release();
    Awaitility.await().atMost(PATIENCE).until(() -> asked.get() == 2);
    nanos.addAndGet(HALF.toNanos());
    away = false; // the next call says of one that it is done, and of the other nothing
    refusals.release();
    awaitOutcomes(outcomes);
    assertThat(bypassed).containsExactly("NOT_CLAIMED b");

    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());
  }

  @Test
  void a_call_of_which_a_part_is_answered_is_no_call_that_failed() throws Exception {
    Engine<String> engine = recording(halfAway());
    engine.receive(lane("p0", "a0", "a1", "a2", "a3"), PATIENCE); // settling is an answer, too
    for (int i = 0; i < 4; i++) {
      Outcomes outcomes = new Outcomes(2);
      engine.submit(both(lane("p" + i, "a" + i), lane("q" + i, "b" + i)), outcomes);
      Awaitility.await().atMost(PATIENCE).until(() -> !outcomes.seen.get(0).isEmpty());
      assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Duplicate.class);
      nanos.addAndGet(HALF.toNanos());
    }

    assertThat(effects.subList(0, 4)).containsExactly("a0", "a1", "a2", "a3");
    assertThat(bypassed).noneMatch(it -> it.startsWith("NOT_CLAIMED a"));
  }

  @Test
  void a_store_all_of_whose_parts_are_away_is_not_waited_for_again() throws Exception {
    Engine<String> engine = recording(faulty((verb, items, call) -> {
      if (!away) {
        return call.go();
      }
      failures.incrementAndGet();
      return items.stream()
          .map(it -> (ClaimAnswer) new ClaimAnswer.Unavailable("its node is away"))
          .toList();
    }));
    engine.receive(lane("p0", "before"), PATIENCE);
    open(engine);

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(bypassed).containsExactly("NOT_CLAIMED first", "NOT_CLAIMED a");
  }

  /** A store of two nodes, told apart by a bit of the store key. */
  private static boolean liesWith(MessageKey one, MessageKey other) {
    return (one.storeKey()[0] & 1) == (other.storeKey()[0] & 1);
  }

  @Test
  void the_part_where_the_question_is_asked_does_not_hide_that_another_answers() throws Exception {
    CompletableFuture<MessageKey> asked = new CompletableFuture<>();
    Engine<String> engine = open(recording(faulty((verb, items, call) -> {
      if (verb.equals("claim")) {
        MessageKey key = ((ClaimRequest) items.get(0)).key();
        if (key.id().toString().startsWith("hapax")) {
          asked.complete(key);
        }
        if (asked.isDone() && !liesWith(key, asked.join())) {
          return call.go();
        }
      }
      if (away && !verb.equals("settle")) {
        failures.incrementAndGet();
        throw new StoreException("its node is away");
      }
      return call.go();
    })));

    Awaitility.await()
        .atMost(PATIENCE.multipliedBy(2))
        .until(() -> engine.health().well());

    String there = IntStream.range(0, 100)
        .mapToObj(i -> "m" + i)
        .filter(id -> !liesWith(key(id), asked.join()))
        .findFirst()
        .orElseThrow();
    assertThat(engine.receive(lane("p0", there), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void however_often_it_comes_and_goes_it_is_asked_by_one_question_at_a_time() throws Exception {
    HeldBackTimer timer = new HeldBackTimer();
    SimulatedMachine machine = new SimulatedMachine(
        nanos::get,
        Executors.newCachedThreadPool(),
        Executors.newCachedThreadPool(),
        timer,
        () -> 0.5);
    Engine<String> engine =
        ready(opened(machine.leased(engineSettings(LeaseSettings.DEFAULT), store, delivery -> {})));
    for (int i = 0; i < 5; i++) {
      away = true;
      Outcomes outcomes = submit(engine, "m" + i);
      awaitFailures(1);
      away = false;
      awaitOutcomes(outcomes);
    }
    away = true;
    submit(engine, "last");
    awaitFailures(1);
    away = false;

    long questions = timer.held.stream().filter(it -> it == ONE_SECOND).count();
    assertThat(questions - LOOKS).as("questions that wait to be asked").isEqualTo(1);
  }

  /** Runs what is not far off, and only remembers the rest. */
  private static final class HeldBackTimer extends ScheduledThreadPoolExecutor {

    private final List<Long> held = new CopyOnWriteArrayList<>();

    HeldBackTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      if (unit.toMillis(delay) < ONE_SECOND) {
        return super.schedule(task, delay, unit);
      }
      held.add(unit.toMillis(delay));
      return super.schedule(() -> {}, 0, unit);
    }
  }
}
