package io.hapax.spring.kafka;

import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerSettings;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.Receivers;
import io.hapax.spring.listener.RefusedListenerException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * Makes the container of one listener idempotent: checks it, builds the receiver, and puts a
 * {@link PollListener} in the place of the application's listener.
 */
final class Installation {

  private static final Logger LOG = LoggerFactory.getLogger(Installation.class);

  /** Bounds how long a poll waits for a store that does not answer, so that a stop is quick. */
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

  private final DeclaredListener declared;
  private final ListableBeanFactory beans;
  private final PartitionRest rest;
  private final Consumer<Subscription> agreement;
  private volatile boolean installed;
  private @Nullable Subscription subscription;
  private @Nullable DeadLetterRoute route;

  Installation(
      DeclaredListener declared,
      ListableBeanFactory beans,
      PartitionRest rest,
      Consumer<Subscription> agreement) {
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

  Optional<Subscription> subscription() {
    return Optional.ofNullable(subscription);
  }

  /** Changes a container before it starts. */
  void install(AbstractMessageListenerContainer<Object, Object> container) {
    installed = true;
    ConsumerOverrides consumers = new ConsumerOverrides(consumerFactory(container), container);
    ContainerRules rules = new ContainerRules(declared, container);
    rules.requireGroup();
    rules.check(consumers.effective());
    ListenerSettings settings = beans
        .getBean(ListenerSettingsResolver.class)
        .resolve(declared.name(), declared.annotation(), String.valueOf(container.getGroupId()));
    DeadLetterRoute letters = DeadLetterRoute.of(settings, beans, consumers.effective());
    if (!consumers.hasBytes()) {
      rules.requireBytes(settings, letters.needsBytes());
    }
    agree(new Subscription(settings, container.getContainerProperties()));
    consumers.apply();
    route = letters;
    listen(container, settings, consumers, letters.publisher());
  }

  private void agree(Subscription mine) {
    agreement.accept(mine);
    subscription = mine;
  }

  private void listen(
      AbstractMessageListenerContainer<Object, Object> container,
      ListenerSettings settings,
      ConsumerOverrides consumers,
      Optional<DeadLetterPublisher<ConsumerRecord<Object, Object>>> letters) {
    GenericMessageListener<?> listener =
        (GenericMessageListener<?>) container.getContainerProperties().getMessageListener();
    boolean batches = listener instanceof BatchMessageListener;
    ListenerCalls calls = new ListenerCalls(declared.acknowledges());
    ListenerCode<ConsumerRecord<Object, Object>> code =
        batches ? new ListenerCode.Batches<>(calls::batch) : new ListenerCode.Each<>(calls::each);
    IdempotentReceiver<ConsumerRecord<Object, Object>> receiver =
        beans.getBean(Receivers.class).open(settings, new KafkaFields(false), code, letters);
    Supplier<KafkaBatchProcessor<Object, Object>> processors = () ->
        KafkaBatchProcessor.onCallerThread(receiver, consumers.effective(), patience(consumers));
    RecordInterceptor<Object, Object> interceptor =
        batches ? null : ContainerInternals.recordInterceptor(container);
    prepare(container, batches);
    container.setupMessageListener(new PollListener(
        listener,
        consumer -> new ConsumerPolls(
            new ContainerThread(container, listener, interceptor, consumer),
            calls,
            processors,
            rest)));
  }

  private static void prepare(
      AbstractMessageListenerContainer<Object, Object> container, boolean batches) {
    ContainerProperties properties = container.getContainerProperties();
    properties.setAckMode(AckMode.MANUAL);
    properties.setAsyncAcks(false);
    properties.setSubBatchPerPartition(false);
    properties.setAdviceChain(); // the listener has it already; the polls must not have it, too
    container.setCommonErrorHandler(new ReadAgainErrorHandler(container.getCommonErrorHandler()));
    if (!batches) {
      container.setBatchInterceptor(null);
    }
  }

  private static Duration patience(ConsumerOverrides consumers) {
    Duration third = consumers.maxPollInterval().dividedBy(3);
    return third.compareTo(LONGEST_PATIENCE) < 0 ? third : LONGEST_PATIENCE;
  }

  private static ConsumerFactory<?, ?> consumerFactory(
      AbstractMessageListenerContainer<?, ?> container) {
    return ContainerInternals.consumerFactory(container);
  }

  void close() {
    DeadLetterRoute mine = route;
    if (mine != null) {
      mine.close();
    }
  }

  /**
   * What a listener reads, and how.
   *
   * @param settings its settings
   * @param topics its topics; empty for a pattern
   */
  record Subscription(ListenerSettings settings, Set<String> topics) {

    Subscription(ListenerSettings settings, ContainerProperties container) {
      this(settings, topics(container));
    }

    private static Set<String> topics(ContainerProperties container) {
      Set<String> topics = new HashSet<>();
      if (container.getTopics() != null) {
        topics.addAll(Arrays.asList(container.getTopics()));
      }
      if (container.getTopicPartitions() != null) {
        Arrays.stream(container.getTopicPartitions()).forEach(each -> topics.add(each.getTopic()));
      }
      return topics;
    }

    void requireAgreement(Subscription other) {
      if (!settings.consumer().equals(other.settings.consumer())
          || topics.stream().noneMatch(other.topics::contains)) {
        return;
      }
      refuse("id", settings.id(), other.settings.id(), other);
      refuse("fingerprint", settings.fingerprint(), other.settings.fingerprint(), other);
      refuse("mode", settings.mode().toString(), other.settings.mode().toString(), other);
    }

    private void refuse(String name, String mine, String theirs, Subscription other) {
      if (!mine.equals(theirs)) {
        throw new RefusedListenerException(
            settings.listener(),
            name + " is '" + mine + "', but '" + theirs + "' on " + other.settings.listener(),
            "Both read the same topic as the consumer " + settings.consumer()
                + ", so they share their marks.",
            "Set the same " + name + ", or another consumer name on one of them.");
      }
    }
  }
}
