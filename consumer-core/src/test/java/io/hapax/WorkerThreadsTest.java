package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handlers on threads of the application's own factory. */
class WorkerThreadsTest extends FaultFixture {

  private final List<Thread> made = new CopyOnWriteArrayList<>();
  private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();

  /** How the next calls of the factory fail. */
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean broken = new AtomicBoolean();

  private @Nullable Thread make(Runnable task) {
    String failure = broken.get() ? "null" : failures.poll();
    if (failure == null) {
      Thread thread = new Thread(task, "mine-" + made.size());
      thread.setDaemon(true);
      made.add(thread);
      return thread;
    }
    return switch (failure) {
      case "null" -> null;
      case "started" -> started();
      case "error" -> throw new NoClassDefFoundError("Context");
      case "checked" -> throw FaultFixture.<RuntimeException>sneaky(new IOException("no context"));
      default -> throw new IllegalStateException("no context");
    };
  }

  private static Thread started() {
    Thread started = new Thread(() -> {});
    started.start();
    return started;
  }

  private IdempotentReceiver<String> receiver(int workers, MessageHandler<String> handler) {
    return open(builder().workers(workers).workerThreads(this::make).leased(marks, handler));
  }

  private void handle(Delivery<String> delivery) {
    handlers.add(Thread.currentThread());
    effects.add(delivery.message());
  }

  @Test
  void handlers_run_on_the_threads_of_the_factory() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    IdempotentReceiver<String> receiver = receiver(2, delivery -> {
      handlers.add(Thread.currentThread());
      both.countDown();
      both.await();
    });

    receiver.receive(both(lane("p0", "a"), lane("p1", "b")), PATIENCE);

    assertThat(handlers).hasSize(2).isEqualTo(Set.copyOf(made));
    assertThat(made).extracting(Thread::getName).containsExactly("mine-0", "mine-1");
  }

  @Test
  void close_ends_the_threads_of_the_factory() throws Exception {
    IdempotentReceiver<String> receiver = receiver(1, this::handle);
    receive(receiver, "a");

    receiver.close();

    made.get(0).join(PATIENCE.toMillis());
    assertThat(made.get(0).isAlive()).isFalse();
  }

  /** The factory of virtual threads on a JDK that has them, and a plain one otherwise. */
  private static ThreadFactory virtualIfPossible() throws ReflectiveOperationException {
    Optional<Method> ofVirtual = Arrays.stream(Thread.class.getMethods())
        .filter(method -> method.getName().equals("ofVirtual"))
        .findFirst();
    if (ofVirtual.isEmpty()) {
      return Thread::new;
    }
    Object builder = ofVirtual.get().invoke(null);
    Class<?> type = Class.forName("java.lang.Thread$Builder");
    return (ThreadFactory) type.getMethod("factory").invoke(builder);
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    } catch (ReflectiveOperationException before21) {
      return false;
    }
  }

  @Test
  void handlers_run_on_virtual_threads_where_the_jdk_has_them() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().workers(4).workerThreads(virtualIfPossible()).leased(marks, this::handle));

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "b"), lane("p1", "c")), PATIENCE);

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(handlers)
        .isNotEmpty()
        .allMatch(it -> isVirtual(it) == Runtime.version().feature() >= 21);
  }

  @Test
  void a_factory_that_fails_at_the_start_is_refused_by_name() {
    for (String failure : List.of("null", "started", "exception", "error", "checked")) {
      failures.add(failure);

      assertThatThrownBy(() -> receiver(1, this::handle))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("workerThreads ")
          .hasMessageContaining("must return a new thread");
    }
  }

  @Test
  void a_factory_that_fails_later_leaves_the_work_to_the_first_thread() throws Exception {
    IdempotentReceiver<String> receiver = receiver(3, this::handle);
    broken.set(true);

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a"), both(lane("p1", "b"), lane("p2", "c"))), PATIENCE);

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(handlers).containsExactlyElementsOf(made);
    assertThat(receiver.problems())
        .singleElement()
        .satisfies(it -> assertThat(it.kind()).isEqualTo(Problem.Kind.CONFIGURATION))
        .satisfies(it -> assertThat(it.text()).contains("workerThreads", "null"));

    broken.set(false);
    receiver.receive(both(lane("p0", "d"), lane("p1", "e")), PATIENCE);

    eventually(() -> receiver.problems().isEmpty());
  }

  @Test
  void a_factory_that_hangs_holds_up_no_other_thread() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    IdempotentReceiver<String> receiver = open(builder()
        .workers(3)
        .workerThreads(task -> {
          if (asked.incrementAndGet() == 2) {
            awaitUninterruptibly(mayEnd);
          }
          return make(task);
        })
        .leased(marks, this::handle));
    Submission first = receiver.submit(lane("p0", "a"), IGNORED);
    eventually(() -> asked.get() == 2);

    awaitAll(receiver.submit(lane("p1", "b"), IGNORED));
    mayEnd.countDown();
    awaitAll(first);
  }
}
