package io.hapax.spring.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.GenericMessageListener;

/** Forwards callbacks to the application's listener: a container calls only the outermost one. */
abstract class SeekForwarding implements ConsumerSeekAware {

  private static final Logger LOG = LoggerFactory.getLogger(SeekForwarding.class);

  private static final ConsumerSeekAware NONE = new ConsumerSeekAware() {};

  private final ConsumerSeekAware target;

  SeekForwarding(GenericMessageListener<?> listener) {
    this.target = listener instanceof ConsumerSeekAware aware ? aware : NONE;
  }

  /** Forgets partitions that were revoked or lost. Runs on the thread of their consumer. */
  abstract void forget(Collection<TopicPartition> partitions);

  @Override
  public void registerSeekCallback(ConsumerSeekCallback callback) {
    target.registerSeekCallback(callback);
  }

  @Override
  public void onPartitionsAssigned(
      Map<TopicPartition, Long> assignments, ConsumerSeekCallback callback) {
    target.onPartitionsAssigned(assignments, callback);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    forget(partitions);
    target.onPartitionsRevoked(partitions);
  }

  @Override
  public void onIdleContainer(
      Map<TopicPartition, Long> assignments, ConsumerSeekCallback callback) {
    target.onIdleContainer(assignments, callback);
  }

  @Override
  public void onFirstPoll() {
    try {
      target.onFirstPoll();
    } catch (RuntimeException e) {
      // The container has polled already: it would not hand over the records.
      LOG.error("onFirstPoll of a listener failed", e);
    }
  }

  @Override
  public void unregisterSeekCallback() {
    target.unregisterSeekCallback();
  }
}
