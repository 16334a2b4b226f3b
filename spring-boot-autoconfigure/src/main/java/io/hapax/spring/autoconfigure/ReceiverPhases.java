package io.hapax.spring.autoconfigure;

import io.hapax.spring.listener.Receivers;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Shuts the receivers down in the right order. Phases stop in descending order:
 *
 * <ol>
 *   <li>{@link #STARTING}: no further call of a listener starts
 *   <li>the containers of the listeners stop (Spring Kafka: {@code Integer.MAX_VALUE - 100}): they
 *       wait for running calls and acknowledge them
 *   <li>{@link #RECEIVING}: the receivers close and settle what is left
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

  /** Closes the receivers of a context that is closed. */
  static final class ReceivePhase
      implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

    private final Receivers receivers;
    private final ApplicationContext context;
    private volatile boolean running;
    private volatile boolean closing;

    ReceivePhase(Receivers receivers, ApplicationContext context) {
      this.receivers = receivers;
      this.context = context;
    }

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
        receivers.close();
      }
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return RECEIVING;
    }
  }
}
