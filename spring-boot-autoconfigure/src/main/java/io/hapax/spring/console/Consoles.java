package io.hapax.spring.console;

import io.hapax.console.Console;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.Figures;
import io.hapax.console.figures.GroupFigures;
import io.hapax.console.figures.StoreFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.Setting;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.Receivers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** Consoles close before the web server waits for open requests, such as event streams. */
public final class Consoles implements SmartLifecycle {

  /** Finds the figures that the application itself has of a consumer; empty without meters. */
  @FunctionalInterface
  public interface FiguresSource {

    Optional<Figures> of(String consumer);
  }

  private final Receivers receivers;
  private final FiguresSource figures;
  private final ObjectProvider<ListenerTopics.Source> sources;
  private final ConsoleProperties properties;
  private final Map<String, Console> open = new HashMap<>();
  private boolean running;

  public Consoles(
      Receivers receivers,
      FiguresSource figures,
      ObjectProvider<ListenerTopics.Source> sources,
      ConsoleProperties properties) {
    this.receivers = receivers;
    this.figures = figures;
    this.sources = sources;
    this.properties = properties;
  }

  /** Returns empty if there is no such consumer, or if the application ends. */
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
    ConsumerTopics topics = new ConsumerTopics(sources, consumer);
    try {
      return Console.open(settings, deployment(receiver, topics), figures(receiver, topics));
    } catch (IOException e) {
      throw new UncheckedIOException("the console of " + consumer + " cannot be opened", e);
    }
  }

  private Deployment deployment(OpenReceiver receiver, ConsumerTopics topics) {
    Deployment deployment = Deployment.of(topics.consumer(), receiver.store());
    List<Setting> settings = new ArrayList<>(List.of(
        new Setting("store", receiver.store().getClass().getSimpleName()),
        new Setting("writes", properties.allowWrites() ? "allowed" : "read-only"),
        new Setting("payloads", "hidden")));
    Optional<ListenerTopics> listener = topics.all().stream().findFirst();
    if (listener.isPresent()) {
      String topic = topics.first();
      String letters = topic.isEmpty() ? "" : listener.get().deadLetters(topic).orElse("");
      deployment =
          deployment.with(new ListenerBroker(topics), topic, listener.get().group(), letters);
      settings.add(new Setting("broker", listener.get().broker()));
    }
    return deployment.showing(
        settings, List.of(new Setting("Java", Runtime.version().toString())));
  }

  private Figures figures(OpenReceiver receiver, ConsumerTopics topics) {
    String consumer = topics.consumer();
    InstantSource clock = InstantSource.system();
    Figures own = figures
        .of(consumer)
        .orElseGet(() -> new StoreFigures(Deployment.of(consumer, receiver.store()), clock));
    return topics.all().isEmpty()
        ? own
        : new GroupFigures(own, new ListenerGroups(topics), consumer, clock);
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  /** Closes all consoles at once, because each may wait for a broker that does not answer. */
  @Override
  public synchronized void stop() {
    running = false;
    List<Thread> closing = open.values().stream()
        .map(console -> new Thread(console::close, "hapax-console-close"))
        .toList();
    open.clear();
    closing.forEach(Thread::start);
    try {
      for (Thread each : closing) {
        each.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // they end by themselves
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
