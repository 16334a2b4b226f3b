package io.hapax.spring.autoconfigure;

import io.hapax.spring.listener.Receivers;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Shuts receivers and executors down in the right order. Phases stop in descending order:
 *
 * <ol>
 *   <li>{@link #STARTING}: no further call of a listener starts
 *   <li>the containers of the listeners stop (Spring Kafka: {@code Integer.MAX_VALUE - 100}): they
 *       wait for running calls and acknowledge them
 *   <li>{@link #RECEIVING}: the receivers close and settle what is left
 *   <li>{@link #EXECUTING}: the executors of jobs and requests close
 *   <li>clients with a phase of their own stop (Lettuce: 0), then beans are destroyed: stores, and
 *       what they use
 * </ol>
 *
 * <p>A context that is stopped and may be started again keeps its receivers.
 */
final class ReceiverPhases {

  /** Before any container of listeners. */
  static final int STARTING = Integer.MAX_VALUE;

  /** After the containers, before the clients of stores. */
  static final int RECEIVING = 1024;

  /**
   * After the receivers, whose listeners may call an executor, and before the clients of stores.
   */
  static final int EXECUTING = RECEIVING - 1;

  private ReceiverPhases() {}

  /** Defers what has not started. */
  static final class StartPhase implements SmartLifecycle {

    private final Receivers receivers;
    private volatile boolean running;

    StartPhase(Receivers receivers) {
      this.receivers = receivers;
    }

    @Override
    public void start() {
      receivers.resume();
      running = true;
    }

    @Override
    public void stop() {
      receivers.pause();
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return STARTING;
    }
  }

  /** Closes something if its context is closed, and not if the context is only stopped. */
  private abstract static class ClosingPhase
      implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

    private final ApplicationContext context;
    private final int phase;
    private volatile boolean running;
    private volatile boolean closing;

    ClosingPhase(ApplicationContext context, int phase) {
      this.context = context;
      this.phase = phase;
    }

    abstract void close();

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
      closing |= event.getApplicationContext() == context;
    }

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      if (closing) {
        close();
      }
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return phase;
    }
  }

  /** Closes the receivers of a context that is closed. */
  static final class ReceivePhase extends ClosingPhase {

    private final Receivers receivers;

    ReceivePhase(Receivers receivers, ApplicationContext context) {
      super(context, RECEIVING);
      this.receivers = receivers;
    }

    @Override
    void close() {
      receivers.close();
    }
  }

  /** Closes the executors of a context that is closed. */
  static final class ExecutePhase extends ClosingPhase {

    private final ExecutorBeans executors;

    ExecutePhase(ExecutorBeans executors, ApplicationContext context) {
      super(context, EXECUTING);
      this.executors = executors;
    }

    @Override
    void close() {
      executors.close();
    }
  }
}
