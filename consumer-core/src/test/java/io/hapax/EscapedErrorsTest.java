package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.adapter.LaneGroup;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.generation.Generations;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.internal.Engines;
import io.hapax.internal.SimulatedMachine;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An allocation that fails on one of the engine's threads, at a place outside of user code. */
@DisplayName("invariant 14: no message waits for ever because memory was used up for a moment")
class EscapedErrorsTest extends TransactionFixture {

  /** How many of the next readings of the clock fail on threads with this name. */
  private final AtomicInteger failures = new AtomicInteger();

  private volatile String threads = "none";

  /** Part of the name of a class that has to be on the stack. */
  private volatile String caller = "";

  private final Ticker exhausted = () -> {
    if (Thread.currentThread().getName().startsWith(threads)
        && isCalledBy(caller)
        && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("Java heap space");
    }
    return System.nanoTime();
  };

  /** Part of the line of the log for which there is no memory. */
  private volatile String line = "threw";

  /** Has no memory for a line of the log either. */
  private final Appender<ILoggingEvent> log = new ListAppender<>() {
    @Override
    public synchronized void doAppend(ILoggingEvent event) {
      if (event.getFormattedMessage().contains(line)
          && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("Java heap space");
      }
    }
  };

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger("io.hapax.internal." + name);
  }

  private void exhaust(String loggerNamed) {
    log.start();
    logger(loggerNamed).setLevel(Level.INFO); // the tests' own settings say OFF
    logger(loggerNamed).addAppender(log);
  }

  @AfterEach
  void detach() {
    for (String name : List.of(
        "message.Outcomes", "report.Listeners", "report.Events", "store.GenerationReports")) {
      logger(name).detachAppender(log);
      logger(name).setLevel(null);
    }
  }

  private static boolean isCalledBy(String name) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().contains(name)));
  }

  private void failOn(String threadsNamed, int times) {
    failures.set(times);
    threads = threadsNamed;
  }

  private void failIn(String callerNamed) {
    caller = callerNamed;
    failOn("hapax", 1);
  }

  private Engine<String> deaf(MessageHandler<String> handler) throws Exception {
    return ready(engine(STEADY, exhausted, faulty((verb, items, call) -> call.go()), handler));
  }

  private Outcome outcomeOf(Engine<String> engine) throws InterruptedException {
    return engine.receive(lane("p0", "a"), PATIENCE).get(0);
  }

  /** A claim that was not given back ends with its lease. */
  private void assertRunsLater(Engine<String> engine) throws InterruptedException {
    clock.advance(STEADY.lease());
    assertThat(outcomeOf(engine)).isInstanceOf(Outcome.Executed.class);
  }

  private static void assertBroken(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Deferred.class,
            it -> assertThat(it.reason()).isEqualTo(Outcome.Reason.INTERNAL_ERROR));
  }

  private void awaitFailures() {
    Awaitility.await().atMost(PATIENCE).until(() -> failures.get() == 0);
  }

  @Test
  void a_lease_is_renewed_after_an_error_in_the_renewal_timer() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        STEADY, exhausted, faulty((verb, items, call) -> call.go()), delivery -> mayEnd.await()));
    Submission submission = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !marks.find(List.of(key("a"))).isEmpty()
            && marks.find(List.of(key("a"))).get(0).isPresent());
    failOn("hapax-timer", 3);
    awaitFailures();

    var before = mark("a").until();
    clock.advance(STEADY.lease());

    Awaitility.await().atMost(PATIENCE).until(() -> mark("a").until().isAfter(before));
    mayEnd.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  void health_names_renewals_that_fail() throws Exception {
    Engine<String> engine =
        ready(engine(STEADY, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {}));

    failOn("hapax-timer", Integer.MAX_VALUE); // a single failure ends before the test sees it

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> engine.health().problems().toString().contains("no lease was renewed"));
    failures.set(0);
    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());
  }

  @Test
  void health_names_renewals_whose_timer_has_died() {
    ScheduledThreadPoolExecutor died = new ScheduledThreadPoolExecutor(1) {
      @Override
      public ScheduledFuture<?> scheduleWithFixedDelay(
          Runnable task, long first, long pause, TimeUnit unit) {
        return schedule(() -> {}, first, unit);
      }
    };
    AtomicLong nanos = new AtomicLong();
    ExecutorService pool = Executors.newCachedThreadPool();
    SimulatedMachine machine = new SimulatedMachine(nanos::get, pool, pool, died, () -> 0.5);
    Engine<String> engine =
        opened(machine.leased(engineSettings(LeaseSettings.DEFAULT), marks, delivery -> {}));

    nanos.addAndGet(LeaseSettings.DEFAULT.renewInterval().multipliedBy(2).toNanos());
    assertThat(engine.health().problems()).isEmpty();
    nanos.incrementAndGet();

    assertThat(engine.health().problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .startsWith("no lease was renewed for PT20");
  }

  @Test
  void a_submission_whose_admission_fails_is_deferred() throws Exception {
    Engine<String> engine =
        ready(engine(STEADY, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {}));
    Outcomes outcomes = new Outcomes(2);
    failOn("hapax-store", 1);

    assertThat(engine.submit(lane("p0", "a", "b"), outcomes).await(PATIENCE)).isTrue();

    assertThat(outcomes.seen).allSatisfy(each -> assertThat(each).hasSize(1));
  }

  @Test
  void a_settlement_is_sent_after_an_error_in_the_settler() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        LeaseSettings.DEFAULT, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {
          if (mayEnd.await(5, TimeUnit.SECONDS)) {
            failOn("hapax-store", 1);
          }
        }));
    Submission first = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    mayEnd.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    Submission second = engine.submit(lane("p0", "b"), (index, outcome) -> {});
    assertThat(second.await(PATIENCE)).isTrue();
  }

  @Test
  void a_message_whose_lane_fails_is_deferred() throws Exception {
    Engine<String> engine = deaf(delivery -> {});
    failIn("run.Lane");

    assertBroken(outcomeOf(engine));

    assertRunsLater(engine);
  }

  @Test
  void windows_behind_a_lane_that_fails_are_deferred_too() throws Exception {
    Engine<String> engine = deaf(delivery -> effects.add(delivery.message()));
    LaneGroup<String> lanes = engine.openLanes();
    failIn("run.Lane");

    Submission first = lanes.submit(lane("p0", "a"), (index, outcome) -> {});
    Submission second = lanes.submit(lane("p0", "b"), (index, outcome) -> {});

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(effects).isEmpty();
    lanes.restart("p0");
    assertThat(lanes.submit(lane("p0", "c"), (index, outcome) -> {}).await(PATIENCE))
        .isTrue();
    assertThat(effects).containsExactly("c");
  }

  @Test
  void an_id_is_free_after_an_error_right_before_its_handler() throws Exception {
    observer = new ReceiverListener() {};
    Engine<String> engine = deaf(delivery -> effects.add(delivery.message()));
    failIn("handler.HandlerInvoker");

    assertBroken(outcomeOf(engine));

    assertThat(effects).isEmpty();
    assertRunsLater(engine);
  }

  @Test
  void an_id_is_free_after_an_error_in_a_transaction() throws Exception {
    Engine<String> engine = opened(Engines.transactional(
        engineSettings(STEADY),
        transactions((verb, items, call) -> {
          if (!items.isEmpty() && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("Java heap space");
          }
          return call.go();
        }),
        (transaction, deliveries) -> effects.add("a"),
        exhausted));
    failures.set(1);

    assertBroken(outcomeOf(engine));

    assertThat(effects).isEmpty();
    assertRunsLater(engine);
  }

  @Test
  void a_follower_gets_its_outcome_although_a_listener_and_the_log_throw() throws Exception {
    observer = new ReceiverListener() {
      @Override
      public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
        throw new OutOfMemoryError("Java heap space");
      }
    };
    exhaust("report.Listeners");
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        LeaseSettings.DEFAULT,
        System::nanoTime,
        faulty((verb, items, call) -> call.go()),
        delivery -> {
          started.countDown();
          mayEnd.await();
        }));
    Submission first = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();
    Submission second = engine.submit(lane("p1", "a"), (index, outcome) -> {});
    assertThat(second.await(Duration.ofMillis(300)))
        .as("it follows the first one")
        .isFalse();
    failures.set(1);
    mayEnd.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(failures).hasValue(0);
  }

  @Test
  void a_submission_ends_although_its_sink_and_the_log_throw() throws Exception {
    exhaust("message.Outcomes");
    failures.set(1);
    Engine<String> engine = ready(engine(
        LeaseSettings.DEFAULT,
        System::nanoTime,
        faulty((verb, items, call) -> call.go()),
        delivery -> {}));

    Submission submission = engine.submit(lane("p0", "a"), (index, outcome) -> {
      throw new OutOfMemoryError("Java heap space");
    });

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(failures).hasValue(0);
  }

  @Test
  void an_outcome_is_delivered_although_recording_it_for_health_fails() throws Exception {
    Engine<String> engine = deaf(delivery -> {
      throw new IllegalStateException("no stock");
    });
    failIn("message.WaitingLanes");

    Outcome outcome = outcomeOf(engine);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Deferred.class, it -> assertThat(it.reason()).isEqualTo(Outcome.Reason.RETRY));
  }

  @Test
  @DisplayName("invariant 16: nothing runs behind a submission that could not be read")
  void a_lane_stops_behind_a_submission_whose_admission_fails() throws Exception {
    exhaust("report.Events");
    line = "reading the message";
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          if (text.equals("a")) {
            throw new OutOfMemoryError("Java heap space");
          }
          return Optional.of(Bytes.utf8(text));
        })
        .leased(marks, delivery -> effects.add(delivery.message())));
    receiver.receive(lane("p1", "before"), PATIENCE);
    failures.set(1);
    LaneGroup<String> lanes = receiver.openLanes();
    Outcomes outcomes = new Outcomes(1);

    Submission first = lanes.submit(lane("p0", "a"), outcomes);
    Submission second = lanes.submit(lane("p0", "b"), (index, outcome) -> {});

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(second.await(PATIENCE)).isTrue();
    assertThat(failures).hasValue(0);
    assertBroken(outcomes.seen.get(0).get(0));
    assertThat(effects).containsExactly("before");
  }

  @Test
  void submissions_are_read_although_the_generation_could_not_be_logged() throws Exception {
    exhaust("store.GenerationReports");
    line = "runs under generation";
    failures.set(1);
    IdempotentReceiver<String> receiver =
        open(builder().leased(marks, delivery -> effects.add(delivery.message())));

    assertThat(receiver.receive(lane("p0", "a"), PATIENCE))
        .hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(failures).hasValue(0);
  }

  @Test
  void messages_are_given_up_although_the_moved_generation_could_not_be_logged() throws Exception {
    exhaust("store.GenerationReports");
    line = "claims nothing any more";
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        LeaseSettings.of(Duration.ofSeconds(3)), // so that the generation is read often
        System::nanoTime,
        faulty((verb, items, call) -> call.go()),
        delivery -> mayEnd.await()));
    Outcomes outcomes = new Outcomes(2);
    Submission submission = engine.submit(lane("p0", "runs", "waits"), outcomes);
    failures.set(1);

    var unused = Generations.advance(marks, SCOPE, 0);

    Awaitility.await().atMost(PATIENCE).until(() -> !outcomes.seen.get(1).isEmpty());
    assertThat(reason(outcomes, 1)).isEqualTo(Outcome.Reason.ABANDONED);
    assertThat(failures).hasValue(0);
    mayEnd.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
  }
}
