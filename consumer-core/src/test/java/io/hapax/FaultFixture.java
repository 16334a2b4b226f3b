package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.internal.SimulatedMachine;
import io.hapax.internal.run.HandlerStep.Handler;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.policy.TooOldPolicy;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreListeners;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What the tests of single faults share: the machine in a map, behind a store that misbehaves. */
@Timeout(30)
abstract class FaultFixture {

  static final String SCOPE = "orders";

  /** Long enough for everything that happens at all. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Renewed often, and long: no lease runs out while its thread waits for a processor. */
  static final LeaseSettings STEADY =
      new LeaseSettings(Duration.ofSeconds(30), Duration.ofMillis(200), Duration.ofSeconds(5));

  final TestClock clock = new TestClock();
  volatile InMemoryDedupStore marks = new InMemoryDedupStore(clock, Duration.ofDays(8));
  final List<String> effects = new CopyOnWriteArrayList<>();
  final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  /** For engines on a clock of the test's own. */
  ReceiverListener observer = ReceiverListener.NONE;

  /** For the same engines. */
  MissingIdPolicy missingId = MissingIdPolicy.DEAD_LETTER;

  /** The listeners of a store that misbehaves. */
  final StoreListeners listeners = new StoreListeners();

  private final AtomicLong nonces = new AtomicLong();
  private final List<Runnable> toClose = new ArrayList<>();
  private final CountDownLatch generationRead = new CountDownLatch(1);

  /** The store's own behaviour, as a fault sees it. */
  interface Call {
    Object go() throws Throwable;
  }

  /** What happens to a call of a store's verb. */
  interface Fault {
    Object through(String verb, List<?> items, Call call) throws Throwable;
  }

  /** An action before a call of the store with these items. */
  interface Step {
    void on(List<?> items) throws Throwable;
  }

  static Fault before(String verb, Step step) {
    return (called, items, call) -> {
      if (called.equals(verb)) {
        step.on(items);
      }
      return call.go();
    };
  }

  /** Outcomes by position; remembers how often each was handed on. */
  static final class Outcomes implements Submission.OutcomeSink {
    final List<List<Outcome>> seen;
    private final CountDownLatch first = new CountDownLatch(1);

    Outcomes(int size) {
      this.seen = IntStream.range(0, size)
          .<List<Outcome>>mapToObj(i -> new CopyOnWriteArrayList<>())
          .toList();
    }

    @Override
    public void accept(int index, Outcome outcome) {
      seen.get(index).add(outcome);
      first.countDown();
    }

    boolean awaitFirst() throws InterruptedException {
      return first.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** A sink for outcomes that the test does not look at. */
  static final Submission.OutcomeSink IGNORED = (index, outcome) -> {};

  /** Where a handler, or a call of the store, waits until the test lets it go on. */
  static final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    void pass() throws InterruptedException {
      reached.countDown();
      opened.await();
    }

    void passUninterruptibly() {
      reached.countDown();
      awaitUninterruptibly(opened);
    }

    void awaitReached() throws InterruptedException {
      assertThat(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    void open() {
      opened.countDown();
    }
  }

  @AfterEach
  void closeReceivers() {
    toClose.forEach(Runnable::run);
  }

  DedupStore faulty(Fault fault) {
    return faulty(() -> marks, listeners, (verb, items, call) -> {
      Object answer = fault.through(verb, items, call);
      if (verb.equals("find")) {
        generationRead.countDown();
      }
      return answer;
    });
  }

  /** A store object of its own before the marks of another one, whose verbs misbehave. */
  static DedupStore faulty(
      Supplier<? extends DedupStore> store, StoreListeners listeners, Fault fault) {
    return (DedupStore) Proxy.newProxyInstance(
        FaultFixture.class.getClassLoader(),
        new Class<?>[] {DedupStore.class, ListenableStore.class},
        (self, method, args) -> {
          if (method.getDeclaringClass() == ListenableStore.class) {
            return method.invoke(listeners, args);
          }
          if (method.getDeclaringClass() == Object.class) {
            return method.getName().equals("hashCode")
                ? System.identityHashCode(self)
                : method.getName().equals("equals") ? self == args[0] : "faulty";
          }
          List<?> items =
              args != null && args.length > 0 && args[0] instanceof List<?> list ? list : List.of();
          return fault.through(method.getName(), items, () -> {
            try {
              return method.invoke(store.get(), args);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
        });
  }

  /** Removes all marks, as if the store had lost them. */
  final void loseMarks() {
    marks = new InMemoryDedupStore(clock, Duration.ofDays(8));
  }

  /** Waits until a receiver over a store that misbehaves has read its generation. */
  <R> R ready(R receiver) {
    Awaitility.await().atMost(PATIENCE).until(() -> generationRead.getCount() == 0);
    return receiver;
  }

  /** Returns what stands before the equals sign; a message that begins with "?" has no id. */
  static Optional<Bytes> idIn(String text) {
    return text.startsWith("?") ? Optional.empty() : Optional.of(Bytes.utf8(text.split("=", 2)[0]));
  }

  ReceiverBuilder<String> builder() {
    return IdempotentReceiver.<String>builder(SCOPE)
        .id(FaultFixture::idIn)
        .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
        .retry(new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10)))
        .drainTimeout(Duration.ofMillis(100))
        .deadLetters(buried::add);
  }

  final void record(Delivery<String> delivery) {
    effects.add(delivery.message());
  }

  static MessageHandler<String> throwing(Throwable error) {
    return delivery -> {
      throw FaultFixture.<RuntimeException>sneaky(error);
    };
  }

  /** Throws an error that no signature declares, as code in another language than Java may. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  /** A message that this function reads, each time anew. */
  static Handout<String> readBy(Supplier<String> reading) {
    return new Handout<>() {
      @Override
      public String received() {
        return reading.get();
      }

      @Override
      public String next() {
        return reading.get();
      }

      @Override
      public boolean isSpent() {
        return false;
      }
    };
  }

  /** Receives messages of one lane. */
  static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), PATIENCE);
  }

  static Outcome receiveOne(IdempotentReceiver<String> receiver, String message)
      throws InterruptedException {
    return receiver.receive(lane("p0", message), PATIENCE).get(0);
  }

  static void awaitAll(Submission... submissions) throws InterruptedException {
    for (Submission submission : submissions) {
      assertThat(submission.await(PATIENCE)).isTrue();
    }
  }

  /** Waits until a condition holds. */
  static void eventually(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).until(condition);
  }

  /** An engine on a clock of the test's own; it is closed by the fixture. */
  Engine<String> engine(
      LeaseSettings lease, Ticker ticker, DedupStore store, MessageHandler<String> handler) {
    return opened(Engine.leased(
        engineSettings(lease), store, Handler.single(handler), Platform.with(ticker)));
  }

  Engine<String> batchEngine(
      LeaseSettings lease, Ticker ticker, DedupStore store, BatchHandler<String> handler) {
    return opened(Engine.leased(
        engineSettings(lease), store, Handler.batch(handler, false), Platform.with(ticker)));
  }

  /** The method of a claim attempt that breaks next, where nothing is expected to fail. */
  final AtomicReference<String> breaking = new AtomicReference<>("");

  private void mayBreak(String method) {
    boolean inside = method.equals(breaking.get())
        && StackWalker.getInstance()
            .walk(frames -> frames
                .limit(9)
                .anyMatch(
                    it -> it.getClassName().equals("io.hapax.internal.claim.Claims$ClaimAttempt")
                        && it.getMethodName().equals(method)));
    if (inside && method.equals(breaking.getAndSet(""))) {
      throw new IllegalStateException("simulated");
    }
  }

  /** A machine of the test's own, with four workers and dice that are always the same. */
  final SimulatedMachine machine(ExecutorService callers) {
    return new SimulatedMachine(
        () -> {
          mayBreak("join");
          return System.nanoTime();
        },
        Executors.newFixedThreadPool(4),
        callers,
        Executors.newSingleThreadScheduledExecutor(),
        () -> {
          mayBreak("resume");
          return 0.5;
        });
  }

  Engine<String> opened(Engine<String> engine) {
    toClose.add(engine::close);
    return engine;
  }

  EngineSettings<String> engineSettings(LeaseSettings lease) {
    return new EngineSettings<>(
        SCOPE,
        new EngineSettings.Reading<>(
            FaultFixture::idIn,
            missingId,
            text -> Fingerprint.NONE,
            MissingFingerprintPolicy.DEAD_LETTER,
            Optional.empty(),
            TooOldPolicy.PROCESS),
        lease,
        new EngineSettings.Failing(
            new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10)), error -> false),
        new EngineSettings.Running<>(
            2,
            Optional.empty(),
            Duration.ofMillis(100),
            Optional.empty(),
            UnknownOutcomePolicy.rerun(),
            EngineSettings.Running.CLAIM_WINDOW),
        new EngineSettings.Answering<>(4096, Optional.empty()),
        new EngineSettings.Reporting<>(
            Optional.of(buried::add),
            EngineSettings.Reporting.DEAD_LETTER_TIMEOUT,
            List.of(observer),
            Optional.empty()));
  }

  <M> IdempotentReceiver<M> open(IdempotentReceiver<M> receiver) {
    toClose.add(receiver::close);
    return receiver;
  }

  IdempotentExecutor open(IdempotentExecutor executor) {
    toClose.add(executor::close);
    return executor;
  }

  static List<Incoming<String>> lane(String lane, String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], lane, lane + "@" + i, false))
        .toList();
  }

  /** Messages of a lane that keeps no order. */
  static List<Incoming<String>> unordered(String lane, String... messages) {
    return lane(lane, messages).stream()
        .map(it -> new Incoming<>(
            it.handout(), it.lane(), false, it.coordinates(), false, Incoming.NO_TIMESTAMP))
        .toList();
  }

  /** Each message in a lane of its own. */
  static List<Incoming<String>> apart(List<String> messages) {
    return messages.stream().flatMap(it -> lane(it, it).stream()).toList();
  }

  static List<Incoming<String>> both(List<Incoming<String>> one, List<Incoming<String>> other) {
    List<Incoming<String>> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  /** The id of a message that is claimed. */
  static String idOf(Object request) {
    return new String(((ClaimRequest) request).key().id().toByteArray(), StandardCharsets.UTF_8);
  }

  /** Another owner claims a message. */
  final ClaimAnswer.Acquired claimedElsewhere(String id, boolean solo, Duration lease) {
    return claimedElsewhere(id, Fingerprint.NONE, solo, lease);
  }

  final ClaimAnswer.Acquired claimedElsewhere(
      String id, Fingerprint fingerprint, boolean solo, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        key(id),
        new Nonce(7, nonces.incrementAndGet()),
        fingerprint,
        new Origin("elsewhere", "p0@0"),
        new ClaimTerms(solo, true, ClaimTerms.ANY_TIME));
    return (ClaimAnswer.Acquired) marks.claim(List.of(request), lease).get(0);
  }

  /** Another owner claims messages and dies: their leases have expired. */
  final void lost(boolean solo, String... ids) {
    for (String id : ids) {
      claimedElsewhere(id, solo, Duration.ofMinutes(1));
    }
    clock.advance(Duration.ofMinutes(2));
  }

  /** As a client library does that does not listen to interrupts. */
  static void awaitUninterruptibly(CountDownLatch latch) {
    awaitUninterruptibly(latch, () -> {});
  }

  static void awaitUninterruptibly(CountDownLatch latch, Runnable onInterrupt) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException deaf) {
        onInterrupt.run();
      }
    }
  }

  static Outcome.Reason reason(Outcome outcome) {
    return ((Outcome.Deferred) outcome).reason();
  }

  static Outcome.Reason reason(Outcomes outcomes, int index) {
    return reason(outcomes.seen.get(index).get(0));
  }

  static MessageKey key(String id) {
    return MessageKey.of(SCOPE, id);
  }

  Mark mark(String id) {
    return marks.find(List.of(key(id))).get(0).orElseThrow();
  }

  Optional<MarkState> state(String id) {
    return marks.find(List.of(key(id))).get(0).map(Mark::state);
  }

  void awaitState(String id, MarkState state) {
    eventually(() -> state(id).equals(Optional.of(state)));
  }

  static ShadowReport report(IdempotentReceiver<?> receiver) {
    return receiver.shadowReport().orElseThrow();
  }

  /** Awaits a problem with all these texts. A busy machine may have raised others before it. */
  static void awaitProblem(IdempotentReceiver<String> receiver, String... texts) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(receiver.problems())
            .anySatisfy(problem -> assertThat(problem.text()).contains(texts)));
  }
}
