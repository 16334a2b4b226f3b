package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.kafka.internal.RecordHandouts;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.RecordInterceptor;

/** Puts a {@link PollListener} in the place of a container's listener. */
final class PolledContainer {

  private PolledContainer() {}

  static void change(
      AbstractMessageListenerContainer<Object, Object> container,
      IdempotentReceiver<ConsumerRecord<Object, Object>> receiver,
      ThreadLocal<ContainerThread> current,
      boolean acknowledges,
      IdExtractor<ConsumerRecord<Object, Object>> ids,
      ConsumerOverrides consumers,
      RecordHandouts<Object, Object> handouts,
      PartitionRest rest,
      ListenerProblems problems) {
    GenericMessageListener<?> listener =
        (GenericMessageListener<?>) container.getContainerProperties().getMessageListener();
    boolean batches = listener instanceof BatchMessageListener;
    Supplier<KafkaBatchProcessor<Object, Object>> processors =
        () -> KafkaBatchProcessor.onCallerThread(
                receiver,
                consumers.effective(),
                consumers.patience(receiver.port().settings().probing()))
            .handouts(handouts::of);
    var unused = processors.get(); // refuses properties at the start
    RecordInterceptor<Object, Object> interceptor =
        batches ? null : ContainerInternals.recordInterceptor(container);
    StartedConsumers started = StartedConsumers.of(container, problems);
    DroppedRecords.Passed passed = new DroppedRecords.Passed();
    PollListener polls = new PollListener(
        listener,
        consumer -> new ConsumerPolls(
            new ContainerThread(
                container,
                new DroppedRecords(listener, interceptor, ids, passed),
                interceptor,
                consumer,
                acknowledges,
                current),
            started.ofThisThread(),
            processors,
            rest,
            problems));
    takeOver(container);
    container.setCommonErrorHandler(
        new ReadAgainErrorHandler(container.getCommonErrorHandler(), problems, polls));
    // A record listener's batch interceptor did not see its polls before.
    container.setBatchInterceptor(new PollInterceptor(
        batches ? ContainerInternals.batchInterceptor(container) : null, polls));
    container.setupMessageListener(polls);
  }

  private static void takeOver(AbstractMessageListenerContainer<Object, Object> container) {
    ContainerProperties properties = container.getContainerProperties();
    properties.setAckMode(AckMode.MANUAL);
    properties.setAsyncAcks(false);
    properties.setSubBatchPerPartition(false);
    properties.setAdviceChain(); // the listener has it already; the polls must not have it, too
  }
}
