package io.hapax.internal.handler;

import io.hapax.ReceiverListener;
import io.hapax.health.Problem;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.CallerQueue;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the user's code and interrupts it. Closing the receiver interrupts these calls only. A
 * thread returns with its interrupt flag cleared, because store calls follow. An interrupt can
 * damage some stores: H2 closes its file. The interrupt of a thread that belongs to the user is
 * recorded in its queue.
 */
public final class UserCodeCalls {

  private static final Logger LOG = LoggerFactory.getLogger(UserCodeCalls.class);

  @FunctionalInterface
  public interface Code<R> {
    R run() throws Exception;
  }

  /**
   * Runs an action after a time, during which the call does not return, and then interrupts the
   * call. So the handler finds at its interrupt what the action has done.
   */
  public record Limit(Duration time, Runnable onTimeout) {}

  private static final class Call {
    private final Thread thread = Thread.currentThread();
    private boolean ended;
    private boolean interrupted;

    synchronized void interrupt(Runnable before) {
      if (!ended) {
        interrupted = true;
        try {
          before.run();
        } finally {
          interruptThread();
        }
      }
    }

    private void interruptThread() {
      try {
        thread.interrupt();
      } catch (Throwable e) { // a class of the user's
        LOG.warn("{} cannot be interrupted", thread, Descriptions.loggable(e));
      }
    }

    /** Ends the interrupts; returns whether there was none. */
    synchronized boolean endUninterrupted() {
      ended = true;
      return !interrupted;
    }
  }

  private final Set<Call> running = ConcurrentHashMap.newKeySet();

  /** The queues of the threads that run the user's code for their own messages. */
  private final Map<Thread, CallerQueue> callers = new ConcurrentHashMap<>();

  private final Environment env;
  private final Events events;
  private final Optional<Duration> handlerTimeout;

  public UserCodeCalls(Environment env, Events events, Optional<Duration> handlerTimeout) {
    this.env = env;
    this.events = events;
    this.handlerTimeout = handlerTimeout;
  }

  /**
   * Runs the code, unless the receiver has failed; throws any exception or error of it as a
   * {@link HandlerFailure}. Code that returns after it was interrupted has failed, too: it may have
   * caught the exception of the interrupt.
   */
  public <R> R run(Code<R> code) throws HandlerFailure {
    return run(code, Optional.empty());
  }

  /** Runs the code, and interrupts it when it exceeds the limit. */
  public <R> R run(Code<R> code, Optional<Limit> limit) throws HandlerFailure {
    return run(code, limit, false);
  }

  /**
   * Calls the user's handler, and notifies the listeners. A call that exceeds the handler timeout
   * is interrupted, and the leases of its messages are not renewed any more. If it does not end,
   * another process may take over its messages. In this process their ids remain in flight until it
   * ends.
   *
   * @param commits whether all of its work is committed once it returns, whatever interrupted it
   */
  public <M, R> R handle(List<ClaimedMessage<M>> messages, Code<R> code, boolean commits)
      throws HandlerFailure {
    if (!events.hasListeners()) {
      return handleLimited(messages, code, commits);
    }
    long begin = env.nanos();
    Optional<Throwable> failure = Optional.empty();
    try {
      return handleLimited(messages, code, commits);
    } catch (HandlerFailure e) {
      failure = Optional.of(e.reason());
      throw e;
    } finally {
      ended(messages, Duration.ofNanos(env.nanos() - begin), failure);
    }
  }

  private <M> void ended(
      List<ClaimedMessage<M>> messages, Duration took, Optional<Throwable> failure) {
    ReceiverListener.HandlerCall call = new ReceiverListener.HandlerCall(
        messages.stream().map(it -> it.message().requiredKey()).toList(), took, failure);
    events.notifyListeners(it -> it.onHandlerCall(call));
  }

  private <M, R> R handleLimited(List<ClaimedMessage<M>> messages, Code<R> code, boolean commits)
      throws HandlerFailure {
    AtomicBoolean overdue = new AtomicBoolean();
    Optional<Limit> limited = handlerTimeout.map(time -> new Limit(time, () -> {
      overdue.set(true);
      messages.forEach(it -> overdue(it.message(), time));
    }));
    try {
      return run(code, limited, commits);
    } finally {
      if (overdue.get()) {
        messages.forEach(it -> events.clear(Problem.Kind.HANDLER_TIMEOUT, source(it.message())));
      }
    }
  }

  private void overdue(InFlightMessage<?> message, Duration time) {
    message.lease.stopRenewal();
    String handler = source(message);
    LOG.error("{} was interrupted after {}; its lease is not renewed any more", handler, time);
    String text = handler + " was interrupted after " + time + " and has not ended";
    events.raise(Problem.Kind.HANDLER_TIMEOUT, handler, message.incoming.coordinates(), text);
  }

  private static String source(InFlightMessage<?> message) {
    return "handler of " + message.requiredKey() + " at " + message.incoming.coordinates();
  }

  private <R> R run(Code<R> code, Optional<Limit> limit, boolean commits) throws HandlerFailure {
    Call call = new Call();
    Runnable cancel = limit
        .map(it -> env.alarm(() -> call.interrupt(it.onTimeout()), it.time()))
        .orElse(() -> {});
    try {
      return run(code, call, commits);
    } finally {
      cancel.run();
    }
  }

  private <R> R run(Code<R> code, Call call, boolean commits) throws HandlerFailure {
    env.failStop().requireRunning();
    running.add(call);
    boolean interrupted = false;
    boolean undisturbed = false;
    R result;
    try {
      result = code.run();
    } catch (Throwable failure) {
      interrupted = failure instanceof InterruptedException;
      throw new HandlerFailure(failure);
    } finally {
      undisturbed = call.endUninterrupted();
      running.remove(call);
      interrupted |= Thread.interrupted();
      if (interrupted && undisturbed) { // by somebody else
        recordInterrupt();
      }
    }
    if (!undisturbed && !commits) {
      throw new HandlerFailure(new InterruptedException(
          "it was interrupted and returned, so that its work may not be done"));
    }
    return result;
  }

  private void recordInterrupt() {
    CallerQueue queue = callers.get(Thread.currentThread());
    if (queue != null) {
      queue.recordInterrupt();
    }
  }

  /**
   * Registers that this thread runs the user's code for its own messages; returns false if it is
   * registered already. The queue then records interrupts that do not come from this object.
   */
  public boolean enter(CallerQueue queue) {
    return callers.putIfAbsent(Thread.currentThread(), queue) == null;
  }

  public void leave() {
    callers.remove(Thread.currentThread());
  }

  /** Returns whether an interrupt may be the cause of a failure on this thread. */
  public boolean interrupted() {
    CallerQueue queue = callers.get(Thread.currentThread());
    return env.closed() || (queue != null && queue.interrupted());
  }

  public void interruptAll() {
    for (Call call : running) {
      call.interrupt(() -> {});
    }
  }
}
