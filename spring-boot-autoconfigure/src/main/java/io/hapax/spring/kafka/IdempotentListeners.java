package io.hapax.spring.kafka;

import io.hapax.health.Problem;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.RefusedListenerException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * Changes the containers of listeners with {@link io.hapax.spring.Idempotent}. Refuses a listener
 * whose container was made without it. Public for the expression that
 * {@link IdempotentListenerEnhancer} writes.
 */
public final class IdempotentListeners
    implements SmartLifecycle, DisposableBean, ListenerTopics.Source, ProblemSource {

  public static final String BEAN = "hapaxKafkaListeners";

  private final ConfigurableListableBeanFactory beans;
  private final List<Installation> installations = new CopyOnWriteArrayList<>();
  private final RestingPartitions.Timer rest = new RestingPartitions.Timer();
  private volatile boolean running;

  public IdempotentListeners(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Adds a listener, and returns the name under which its container asks for it. */
  String declare(DeclaredListener declared) {
    Installation installation = new Installation(declared, beans, rest, this::agree);
    installations.add(installation);
    return Integer.toString(installations.indexOf(installation));
  }

  public ContainerPostProcessor<?, ?, ?> processor(String token) {
    return processor(token, container -> {});
  }

  public ContainerPostProcessor<?, ?, ?> processor(
      String token,
      ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>
          first) {
    Installation installation = installations.get(Integer.parseInt(token));
    return (AbstractMessageListenerContainer<Object, Object> container) -> {
      first.postProcess(container);
      installation.install(container);
    };
  }

  @Override
  public List<ListenerTopics> topics() {
    return installed().<ListenerTopics>map(it -> it).toList();
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    return ProblemSource.grouped(
        installations.stream().filter(each -> each.topics().isPresent()),
        each -> each.topics().orElseThrow().settings().consumer(),
        Installation::problems);
  }

  private Stream<KafkaListenerTopics> installed() {
    return installations.stream().map(Installation::topics).flatMap(Optional::stream);
  }

  private void agree(ListenerSubscription mine) {
    installed().map(KafkaListenerTopics::subscription).forEach(mine::requireAgreement);
  }

  @Override
  public void start() {
    refuseUnused(declared -> true);
    TopicWarnings.log(installed().toList());
    running = true;
  }

  /**
   * Refuses a listener whose container factory did not ask for its installation. Spring asks the
   * enhancer once for each type in which a method is visible, and uses one of the answers. Another
   * thread may just declare a listener, so {@code concerned} accepts those to check.
   */
  void refuseUnused(Predicate<DeclaredListener> concerned) {
    List<Installation> checked =
        installations.stream().filter(each -> concerned.test(each.declared())).toList();
    Set<DeclaredListener> used = checked.stream()
        .filter(Installation::installed)
        .map(Installation::declared)
        .collect(Collectors.toSet());
    List<String> unused = checked.stream()
        .map(Installation::declared)
        .filter(declared -> !used.contains(declared))
        .map(DeclaredListener::name)
        .distinct()
        .toList();
    if (!unused.isEmpty()) {
      throw new RefusedListenerException(
          String.join(", ", unused),
          "its container factory ignores containerPostProcessor",
          "Hapax did not see the container, so the listener would run for duplicates. A factory of"
              + " share containers is such a factory.",
          "Use a ConcurrentKafkaListenerContainerFactory, or remove @Idempotent.");
    }
  }

  /** Before the containers start. */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }

  /** Changes nothing else, because a context that was stopped may be started again. */
  @Override
  public void stop() {
    running = false;
  }

  /** Closes the timer and the publishers of dead letters; the containers have stopped before. */
  @Override
  public void destroy() {
    rest.close();
    installations.forEach(Installation::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
