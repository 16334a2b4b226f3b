package io.hapax.spring.actuate;

import io.hapax.ExecutorBuilder;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.StaleMarkSettings;
import io.hapax.health.Problem;
import io.hapax.metrics.MicrometerReceiverHealth;
import io.hapax.metrics.MicrometerReceiverListener;
import io.hapax.metrics.MicrometerStoreListener;
import io.hapax.spring.ExecutorCustomizer;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.OpenReceiverListener;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.ReceiverCustomizer;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Binds the meters of receivers, executors and stores that {@code docs/observability.md} lists. */
public final class ReceiverMeters
    implements ReceiverCustomizer, ExecutorCustomizer, OpenReceiverListener {

  private final Supplier<@Nullable MeterRegistry> registry;
  private final Function<DedupStore, String> storeNames;
  private final Predicate<ListenerDefinition> countsStaleMarks;
  private final ProblemSource others;
  private final Map<String, MicrometerReceiverListener> listeners = new ConcurrentHashMap<>();
  private final Set<DedupStore> bound =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  public ReceiverMeters(
      Supplier<@Nullable MeterRegistry> registry,
      Function<DedupStore, String> storeNames,
      Predicate<ListenerDefinition> countsStaleMarks,
      ProblemSource others) {
    this.registry = registry;
    this.storeNames = storeNames;
    this.countsStaleMarks = countsStaleMarks;
    this.others = others;
  }

  @Override
  public void customize(ListenerDefinition settings, ReceiverBuilder<?> builder) {
    MeterRegistry meters = registry.get();
    if (meters != null) {
      builder.listener(listener(settings.consumer(), meters));
      if (countsStaleMarks.test(settings)) {
        builder.countStaleMarks(StaleMarkSettings.DEFAULT);
      }
    }
  }

  @Override
  public void customize(String name, ExecutorBuilder builder) {
    MeterRegistry meters = registry.get();
    if (meters != null) {
      builder.listener(listener(name, meters));
    }
  }

  private MicrometerReceiverListener listener(String consumer, MeterRegistry meters) {
    return listeners.computeIfAbsent(
        consumer, name -> new MicrometerReceiverListener(meters, name));
  }

  @Override
  public void opened(String consumer, List<OpenReceiver> receivers) {
    MeterRegistry meters = registry.get();
    if (meters != null) {
      MicrometerReceiverHealth.bind(
          meters,
          consumer,
          () -> problems(consumer, receivers),
          receivers.stream().map(OpenReceiver::receiver).toArray(IdempotentReceiver<?>[]::new));
      receivers.forEach(each -> bind(meters, each.store()));
    }
  }

  private List<Problem> problems(String consumer, List<OpenReceiver> receivers) {
    return Stream.concat(
            receivers.stream().map(it -> it.receiver().problems()),
            Stream.of(others.problemsByName().getOrDefault(consumer, List.of())))
        .flatMap(List::stream)
        .distinct() // a consumer of RocketMQ repeats the problems of its receiver
        .toList();
  }

  private void bind(MeterRegistry meters, DedupStore store) {
    if (store instanceof ListenableStore listenable && bound.add(store)) {
      var unused = listenable.listen(new MicrometerStoreListener(meters, storeNames.apply(store)));
    }
  }
}
