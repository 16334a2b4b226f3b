package io.hapax.spring.console;

import io.hapax.console.Console;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.Figures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.Setting;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.Receivers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/**
 * Opens a console for each consumer of the application, at its first request. Closes them before
 * the web server waits for open requests, because an event stream would keep it waiting.
 */
public final class Consoles implements SmartLifecycle {

  private final Receivers receivers;
  private final FiguresSource figures;
  private final ConsoleProperties properties;
  private final Map<String, Console> open = new HashMap<>();
  private boolean running;

  /**
   * Makes the consoles.
   *
   * @param receivers the receivers of the application
   * @param figures finds the figures of a consumer
   * @param properties what the consoles may do
   */
  public Consoles(Receivers receivers, FiguresSource figures, ConsoleProperties properties) {
    this.receivers = receivers;
    this.figures = figures;
    this.properties = properties;
  }

  /**
   * Finds the console of a consumer.
   *
   * @param consumer the name of the consumer
   * @param base the path before every address of this console
   * @return the console; empty if there is no such consumer, or if the application ends
   */
  synchronized Optional<Console> of(String consumer, String base) {
    List<OpenReceiver> of = receivers.of(consumer);
    return running && !of.isEmpty()
        ? Optional.of(open.computeIfAbsent(base, it -> open(of.get(0), it)))
        : Optional.empty();
  }

  private Console open(OpenReceiver receiver, String base) {
    String consumer = receiver.settings().consumer();
    ConsoleSettings settings = ConsoleSettings.mounted(base);
    String log = properties.actionLog();
    if (properties.allowWrites() && log != null) {
      settings =
          settings.allowingWrites(Path.of(log.replace(ConsoleProperties.CONSUMER, consumer)));
    }
    Deployment deployment = Deployment.of(consumer, receiver.store())
        .showing(
            List.of(
                new Setting("store", receiver.store().getClass().getSimpleName()),
                new Setting("writes", properties.allowWrites() ? "allowed" : "read-only"),
                new Setting("payloads", "hidden")),
            List.of(new Setting("Java", Runtime.version().toString())));
    try {
      Optional<Figures> own = figures.of(consumer);
      return own.isPresent()
          ? Console.open(settings, deployment, own.get())
          : Console.open(settings, deployment);
    } catch (IOException e) {
      throw new UncheckedIOException("the console of " + consumer + " cannot be opened", e);
    }
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    open.values().forEach(Console::close);
    open.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
