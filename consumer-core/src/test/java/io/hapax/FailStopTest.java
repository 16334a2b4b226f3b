package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.internal.SimulatedMachine;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** An allocation that fails on a thread of the engine, at a place outside of the user's code. */
@DisplayName("invariant 14: a receiver whose own code meets an error leaves its work to others")
class FailStopTest extends TransactionFixture {

  private final OutOfMemoryError error = new OutOfMemoryError("Java heap space");

  /** Part of the name of a class on whose behalf the clock cannot be read. */
  private volatile String place = "nowhere";

  private final Ticker exhausted = () -> {
    String failing = place;
    if (StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(it -> it.getClassName().contains(failing)))) {
      throw error;
    }
    return System.nanoTime();
  };

  /** Whose ids in flight all receivers of this process share. */
  private final DedupStore store = faulty((verb, items, call) -> call.go());

  private Engine<String> exhausted(MessageHandler<String> handler) throws Exception {
    return ready(engine(STEADY, exhausted, store, handler));
  }

  private Engine<String> successor() throws Exception {
    place = "nowhere";
    clock.advance(STEADY.lease()); // a claim that was not given back ends with its lease
    return ready(engine(STEADY, System::nanoTime, store, this::record));
  }

  private void awaitEnd(Engine<String> engine) {
    Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertFailed(engine::requireRunning));
  }

  private void assertFailed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ReceiverClosedException.class).hasCause(error);
  }

  private void assertReleased(Submission submission) throws InterruptedException {
    try {
      awaitAll(submission);
    } catch (ReceiverClosedException failed) {
      assertThat(failed).hasCause(error);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claim.Claims$ClaimAttempt",
        "claim.LeaseRenewer",
        "handler.HandlerInvoker",
        "message.WaitingLanes",
        "report.Events",
        "run.Lane",
        "store.GenerationWatch"
      })
  void it_is_down_and_refuses_calls_and_others_take_over(String failing) throws Exception {
    observer = new ReceiverListener() {};
    Engine<String> engine = exhausted(delivery -> {
      effects.add(delivery.message());
      if (delivery.message().equals("fails")) {
        throw new IllegalStateException("no stock");
      }
    });
    place = failing;

    List<Submission> submitted = new ArrayList<>();
    try {
      submitted.add(engine.submit(both(lane("p0", "a", "b"), lane("p1", "fails")), IGNORED));
    } catch (ReceiverClosedException failedBefore) {
      assertThat(failedBefore).hasCause(error);
    }
    awaitEnd(engine);
    place = "nowhere";

    for (Submission submission : submitted) {
      assertReleased(submission);
    }
    assertFailed(() -> engine.submit(lane("p0", "c"), IGNORED));
    assertFailed(() -> engine.receive(lane("p0", "c"), PATIENCE));
    assertFailed(() -> engine.receiveOnCallerThread(lane("p0", "c"), PATIENCE));
    assertFailed(() -> engine.openLanes().submit(lane("p0", "c"), IGNORED));
    assertThat(engine.health().problems())
        .filteredOn(it -> it.kind() == Problem.Kind.RECEIVER_DOWN)
        .singleElement()
        .extracting(Problem::text, STRING)
        .contains("Java heap space");
    assertThat(successor().receive(lane("p0", "a", "b"), PATIENCE))
        .allMatch(Outcome::mayAcknowledge);
    assertThat(effects).contains("a", "b");
  }

  @Test
  void a_handler_that_runs_ends_and_its_claim_expires() throws Exception {
    Gate handler = new Gate();
    CountDownLatch ended = new CountDownLatch(1);
    Engine<String> engine = exhausted(delivery -> {
      handler.pass();
      ended.countDown();
    });
    Submission submission = engine.submit(lane("p0", "a", "behind"), IGNORED);
    handler.awaitReached();
    place = "claim.LeaseRenewer";
    awaitEnd(engine);

    assertFailed(() -> submission.await(PATIENCE));
    handler.open();
    assertThat(ended.await(5, TimeUnit.SECONDS)).isTrue();

    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);
    assertThat(successor().receive(lane("p0", "a", "behind"), PATIENCE))
        .hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(effects).containsExactly("a", "behind");
  }

  @ParameterizedTest
  @CsvSource({"claim, false", "settle, false", "claim, true", "settle, true"})
  void one_who_waits_or_runs_the_messages_is_released_with_the_error(
      String failing, boolean onCallerThread) throws Exception {
    Engine<String> engine = ready(engine(
        LeaseSettings.DEFAULT,
        System::nanoTime,
        faulty(before(failing, items -> {
          throw error;
        })),
        delivery -> {}));

    assertFailed(() -> receive(engine, onCallerThread));
  }

  private static List<Outcome> receive(Engine<String> engine, boolean onCallerThread)
      throws InterruptedException {
    return onCallerThread
        ? engine.receiveOnCallerThread(lane("p0", "a"), PATIENCE)
        : engine.receive(lane("p0", "a"), PATIENCE);
  }

  @Test
  void a_caller_for_whom_no_thread_starts_ends_it() throws Exception {
    AtomicBoolean noThread = new AtomicBoolean();
    ExecutorService callers =
        new ThreadPoolExecutor(0, 100, 60, TimeUnit.SECONDS, new SynchronousQueue<>()) {
          @Override
          public void execute(Runnable task) {
            if (noThread.get()) {
              throw error;
            }
            super.execute(task);
          }
        };
    Gate handler = new Gate();
    Engine<String> engine = opened(machine(callers)
        .leased(engineSettings(LeaseSettings.DEFAULT), marks, delivery -> handler.pass()));
    Submission submission = engine.submit(lane("p0", "a", "claimed"), IGNORED);
    handler.awaitReached();

    noThread.set(true);
    submission.abandon(); // gives the claim of the second one back

    awaitEnd(engine);
    handler.open();
  }

  @Test
  void an_error_of_reading_a_message_again_does_not_end_it() throws Exception {
    AtomicBoolean handled = new AtomicBoolean();
    Handout<String> handout = readBy(() -> {
      if (handled.get()) {
        throw new StackOverflowError("nested too deeply");
      }
      return "a";
    });
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      handled.set(true);
      throw new RejectedMessageException("for ever");
    }));

    List<Outcome> outcomes = receiver.receive(
        List.of(new Incoming<>(handout, "p0", true, "p0@0", false, Incoming.NO_TIMESTAMP)),
        PATIENCE);

    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    receiver.port().requireRunning();
  }

  @Test
  void no_transaction_begins_any_more() throws Exception {
    Gate handler = new Gate();
    Engine<String> engine = opened(Engine.transactional(
        engineSettings(STEADY),
        transactions((verb, items, call) -> call.go()),
        (transaction, deliveries) -> {
          effects.add(deliveries.get(0).message());
          handler.pass();
        },
        Platform.with(exhausted)));
    Submission first = engine.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    LaneGroup<String> lanes = engine.openLanes();
    place = "claim.LeaseRenewer";
    awaitEnd(engine);
    handler.open();

    assertReleased(first);
    assertFailed(() -> lanes.submit(lane("p0", "b"), IGNORED));
    assertThat(effects).containsExactly("a");
  }

  @Test
  void health_names_renewals_whose_timer_has_died() throws Exception {
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
    engine.receive(
        lane("p0", "a"), PATIENCE); // or the reading of the generation would be late, too

    nanos.addAndGet(LeaseSettings.DEFAULT.renewInterval().multipliedBy(2).toNanos());
    assertThat(engine.health().problems()).isEmpty();
    nanos.incrementAndGet();

    assertThat(engine.health().problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .startsWith("no lease was renewed for PT20");
  }

  /** Lets a log throw at lines that contain a text. */
  private static AutoCloseable failing(Class<?> logger, String text) {
    Logger log = (Logger) LoggerFactory.getLogger(logger);
    @Nullable Level level = log.getLevel();
    ListAppender<ILoggingEvent> full = new ListAppender<>() {
      @Override
      public synchronized void doAppend(ILoggingEvent event) {
        if (event.getFormattedMessage().contains(text)) {
          throw new IllegalStateException("no room for a line");
        }
      }
    };
    full.start();
    log.setLevel(Level.INFO); // the tests' own settings say OFF
    log.addAppender(full);
    return () -> {
      log.detachAppender(full);
      log.setLevel(level);
    };
  }

  @Test
  void an_outcome_that_cannot_be_passed_on_ends_it() throws Exception {
    Engine<String> engine = ready(engine(STEADY, System::nanoTime, store, delivery -> {}));
    try (AutoCloseable log = failing(io.hapax.internal.message.Outcomes.class, "The sink threw")) {
      // submit() throws if the receiver has failed before it returns
      assertThatThrownBy(() -> engine
              .submit(lane("p0", "a"), (index, outcome) -> {
                throw new IllegalStateException("full");
              })
              .await(PATIENCE))
          .isInstanceOf(ReceiverClosedException.class)
          .hasRootCauseMessage("no room for a line");
    }
  }

  @Test
  @DisplayName("invariant 16: nothing runs behind a submission that could not be read")
  void a_lane_stops_behind_a_submission_whose_admission_fails() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          if (text.equals("a")) {
            throw new OutOfMemoryError("Java heap space");
          }
          return Optional.of(Bytes.utf8(text));
        })
        .leased(marks, this::record));
    receiver.receive(lane("p1", "before"), PATIENCE);
    LaneGroup<String> lanes = receiver.port().openLanes();
    Outcomes outcomes = new Outcomes(1);
    try (AutoCloseable log = failing(Events.class, "reading the message")) {
      Submission first = lanes.submit(lane("p0", "a"), outcomes);
      Submission second = lanes.submit(lane("p0", "b"), IGNORED);

      awaitAll(first, second);
    }
    assertThat(reason(outcomes, 0)).isEqualTo(Outcome.Reason.INTERNAL_ERROR);
    assertThat(effects).containsExactly("before");
    receiver.port().requireRunning();
  }
}
