package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.health.Problem;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.spring.kafka.ListenerSubscription.Cluster;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.Receivers;
import io.hapax.spring.listener.RefusedListenerException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.KafkaConsumerBackoffManager;
import org.springframework.kafka.listener.RecordInterceptor;

/** Makes a listener's containers idempotent; with {@code @RetryableTopic} they share a receiver. */
final class Installation {

  /** No attempt of Hapax waits, and none is the last one. */
  private static final RetrySettings BY_SPRING =
      new RetrySettings(Integer.MAX_VALUE, Duration.ofMillis(1), Duration.ofMillis(1));

  private final DeclaredListener declared;
  private final ListableBeanFactory beans;
  private final RestingPartitions.Timer rest;
  private final Consumer<ListenerSubscription> agreement;

  /** What calls the listener on the thread of a consumer, while this thread handles messages. */
  @SuppressWarnings("ThreadLocalUsage") // each listener has its own
  private final ThreadLocal<ContainerThread> current = new ThreadLocal<>();

  private final List<Runnable> closing = new CopyOnWriteArrayList<>();
  private final ListenerProblems problems = new ListenerProblems(InstantSource.system());
  private volatile boolean installed;
  private @Nullable KafkaListenerTopics topics;
  private @Nullable Retries retries;

  /** What the containers of all topics of a listener with {@code @RetryableTopic} share. */
  private record Retries(
      IdempotentReceiver<ConsumerRecord<Object, Object>> receiver, CarriedIdentity identity) {}

  Installation(
      DeclaredListener declared,
      ListableBeanFactory beans,
      RestingPartitions.Timer rest,
      Consumer<ListenerSubscription> agreement) {
    this.declared = declared;
    this.beans = beans;
    this.rest = rest;
    this.agreement = agreement;
  }

  DeclaredListener declared() {
    return declared;
  }

  boolean installed() {
    return installed;
  }

  Optional<KafkaListenerTopics> topics() {
    return Optional.ofNullable(topics);
  }

  List<Problem> problems() {
    return problems.list();
  }

  void install(AbstractMessageListenerContainer<Object, Object> container) {
    installed = true;
    RetryRole role = RetryRole.of(beans, container);
    if (role == RetryRole.DEAD_LETTERS) {
      return;
    }
    ConsumerOverrides consumers = new ConsumerOverrides(container);
    ContainerRules rules = new ContainerRules(declared, container);
    rules.check(consumers.effective());
    rules.warnOfReplies();
    if (role == RetryRole.RETRIED) {
      retried(container, consumers, rules);
    } else {
      polled(container, consumers, rules);
    }
  }

  private void polled(
      AbstractMessageListenerContainer<Object, Object> container,
      ConsumerOverrides consumers,
      ContainerRules rules) {
    ListenerDefinition settings = settings(container);
    rules.warnOfErrorHandler(settings);
    DeadLetterRoute letters = DeadLetterRoute.of(settings, beans, consumers.effective());
    ListenerSubscription mine = agree(settings, container, consumers);
    rules.requireBytes(consumers, settings, letters.needsBytes());
    consumers.apply();
    closing.add(letters::close);
    KafkaFields fields = new KafkaFields(Set.of());
    topics = new KafkaListenerTopics(mine, consumers, beans, fields, letters.needsBytes());
    GenericMessageListener<?> listener = ContainerInternals.listener(container);
    boolean batches = listener instanceof BatchMessageListener;
    IdempotentReceiver<ConsumerRecord<Object, Object>> receiver = beans
        .getBean(Receivers.class)
        .open(
            settings,
            fields,
            batches ? new ListenerCode.Batches<>(it -> current.get().batch(it)) : code(),
            letters.publisher(() -> current.get().forListener()),
            builder -> {});
    GuardedInterceptor.install(container, problems);
    StartedConsumers started = StartedConsumers.of(container, problems);
    RecordInterceptor<Object, Object> interceptor =
        batches ? null : ContainerInternals.recordInterceptor(container);
    IdExtractor<ConsumerRecord<Object, Object>> ids =
        new MessageExpressions<>(fields, beans).id(settings);
    DroppedRecords.Passed passed = new DroppedRecords.Passed();
    boolean acknowledges = acknowledges(container);
    Supplier<KafkaBatchProcessor<Object, Object>> processors = processors(receiver, consumers);
    new PollListener(
            listener,
            consumer -> new ConsumerPolls(
                new ContainerThread(
                    container,
                    new DroppedRecords(listener, interceptor, ids, passed),
                    interceptor,
                    consumer,
                    acknowledges,
                    current),
                started,
                processors,
                rest,
                problems))
        .replaceListener(container, problems);
  }

  /** Returns a factory of processors, for each start of a consumer. Refuses properties at once. */
  private Supplier<KafkaBatchProcessor<Object, Object>> processors(
      IdempotentReceiver<ConsumerRecord<Object, Object>> receiver, ConsumerOverrides consumers) {
    RecordHandouts<Object, Object> records = handouts(consumers);
    Supplier<KafkaBatchProcessor<Object, Object>> processors =
        () -> KafkaBatchProcessor.onCallerThread(
                receiver,
                consumers.effective(),
                consumers.patience(receiver.port().settings().probing()))
            .handouts(records::of);
    try {
      var unused = processors.get();
      return processors;
    } catch (IllegalArgumentException e) {
      throw new RefusedListenerException(
          declared.name(),
          "a property of its consumer breaks a rule",
          e.getMessage() + ".",
          "Change the property in spring.kafka.consumer, or the lease of the consumer in Hapax.");
    }
  }

  private void retried(
      AbstractMessageListenerContainer<Object, Object> container,
      ConsumerOverrides consumers,
      ContainerRules rules) {
    Retries mine = retries;
    if (mine == null) {
      mine = retries(container, consumers, rules);
      retries = mine;
    }
    IdempotentReceiver<ConsumerRecord<Object, Object>> receiver = mine.receiver();
    consumers.apply();
    GuardedInterceptor.install(container, problems);
    consumers.checkPolls(StartedConsumers.of(container, problems));
    container.getContainerProperties().setCheckDeserExWhenKeyNull(true);
    container.getContainerProperties().setCheckDeserExWhenValueNull(true);
    container.setupMessageListener(new RetryTopicListener(
        container,
        receiver,
        current,
        acknowledges(container),
        beans.getBean(KafkaConsumerBackoffManager.class),
        handouts(consumers),
        mine.identity(),
        consumers.patience(receiver.port().settings().probing())));
  }

  private Retries retries(
      AbstractMessageListenerContainer<Object, Object> container,
      ConsumerOverrides consumers,
      ContainerRules rules) {
    ListenerDefinition settings = settings(container);
    ListenerSubscription mine = agree(settings, container, consumers);
    rules.requireBytes(consumers, settings, false);
    KafkaFields fields = new KafkaFields(mine.topics());
    topics = new KafkaListenerTopics(mine, consumers, beans, fields, false);
    RetryTopicListener.skipRetriesOfFinalFailures(beans);
    MessageExpressions<ConsumerRecord<Object, Object>> expressions =
        new MessageExpressions<>(fields, beans);
    CarriedIdentity identity = new CarriedIdentity(
        settings.consumer(),
        mine.topics(),
        expressions.id(settings),
        expressions.fingerprint(settings));
    return new Retries(
        beans
            .getBean(Receivers.class)
            .open(
                settings,
                fields,
                code(),
                Optional.of(letter -> {}), // Spring publishes it
                builder -> builder
                    .retry(BY_SPRING)
                    .id(identity::idOf)
                    .fingerprint(identity::fingerprintOf)),
        identity);
  }

  private ListenerCode<ConsumerRecord<Object, Object>> code() {
    return new ListenerCode.Each<>(delivery -> current.get().each(delivery));
  }

  private boolean acknowledges(AbstractMessageListenerContainer<?, ?> container) {
    return declared.acknowledges() || ContainerInternals.isManual(container);
  }

  private RecordHandouts<Object, Object> handouts(ConsumerOverrides consumers) {
    RecordHandouts<Object, Object> made = consumers.handouts();
    closing.add(made::close);
    return made;
  }

  private ListenerDefinition settings(AbstractMessageListenerContainer<?, ?> container) {
    return beans
        .getBean(ListenerSettingsResolver.class)
        .resolve(declared.name(), declared.annotation(), String.valueOf(container.getGroupId()));
  }

  private ListenerSubscription agree(
      ListenerDefinition settings,
      AbstractMessageListenerContainer<?, ?> container,
      ConsumerOverrides consumers) {
    ListenerSubscription mine =
        ListenerSubscription.of(settings, container, Cluster.of(consumers.effective()));
    agreement.accept(mine);
    return mine;
  }

  void close() {
    closing.forEach(Runnable::run);
  }
}
