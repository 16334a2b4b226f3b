package io.hapax.spring.autoconfigure;

import io.hapax.spring.listener.Receivers;
import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * A phase of the shutdown of receivers and executors. Phases stop in descending order:
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
final class ReceiverPhase implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

  static final int STARTING = Integer.MAX_VALUE;
  static final int RECEIVING = 1024;
  static final int EXECUTING = RECEIVING - 1;

  private final ApplicationContext context;
  private final int phase;
  private final Runnable onStart;
  private final Consumer<Boolean> onStop;
  private volatile boolean running;
  private volatile boolean closing;

  private ReceiverPhase(
      ApplicationContext context, int phase, Runnable onStart, Consumer<Boolean> onStop) {
    this.context = context;
    this.phase = phase;
    this.onStart = onStart;
    this.onStop = onStop;
  }

  static ReceiverPhase starting(ApplicationContext context, Receivers receivers) {
    return new ReceiverPhase(context, STARTING, receivers::resume, closing -> receivers.pause());
  }

  /** Closes something if its context is closed, and not if the context is only stopped. */
  static ReceiverPhase closing(ApplicationContext context, int phase, Runnable close) {
    return new ReceiverPhase(context, phase, () -> {}, closing -> {
      if (closing) {
        close.run();
      }
    });
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    closing |= event.getApplicationContext() == context;
  }

  @Override
  public void start() {
    onStart.run();
    running = true;
  }

  @Override
  public void stop() {
    onStop.accept(closing);
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
