package io.hapax.console.operations;

import io.hapax.console.view.Setting;
import io.hapax.operations.Broker;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The consumer that a console shows, with its store, broker and topics.
 *
 * @param consumer the name of the consumer, as its receiver is configured
 * @param store its store; read-only if the console permits no actions
 * @param broker its broker; without one there are no audits, redrives and redeliveries
 * @param topic the topic that the consumer reads; may be empty
 * @param group its group; may be empty
 * @param letters its dead-letter topic; may be empty
 * @param settings further settings, only shown
 * @param versions the versions of libraries, only shown
 */
public record Deployment(
    String consumer,
    DedupStore store,
    Optional<Broker> broker,
    String topic,
    String group,
    String letters,
    List<Setting> settings,
    List<Setting> versions) {

  /**
   * Copies the lists.
   *
   * @param consumer the name of the consumer
   * @param store its store
   * @param broker its broker
   * @param topic the topic that the consumer reads
   * @param group its group
   * @param letters its dead-letter topic
   * @param settings further settings
   * @param versions the versions of libraries
   */
  public Deployment {
    settings = List.copyOf(settings);
    versions = List.copyOf(versions);
  }

  /**
   * {@return a consumer and its store, without a broker}
   *
   * @param consumer the name of the consumer
   * @param store its store
   */
  public static Deployment of(String consumer, DedupStore store) {
    return new Deployment(consumer, store, Optional.empty(), "", "", "", List.of(), List.of());
  }

  /**
   * {@return a copy with a broker}
   *
   * @param with the broker
   * @param ofTopic the topic that the consumer reads; may be empty
   * @param ofGroup its group; may be empty
   * @param ofLetters its dead-letter topic; may be empty
   */
  public Deployment with(Broker with, String ofTopic, String ofGroup, String ofLetters) {
    return new Deployment(
        consumer, store, Optional.of(with), ofTopic, ofGroup, ofLetters, settings, versions);
  }

  /**
   * {@return a copy with information that is only shown}
   *
   * @param more settings
   * @param of versions
   */
  public Deployment showing(List<Setting> more, List<Setting> of) {
    return new Deployment(consumer, store, broker, topic, group, letters, more, of);
  }

  /**
   * {@return a copy with another view of the store}
   *
   * @param other the store, as this copy uses it
   */
  public Deployment over(DedupStore other) {
    return new Deployment(consumer, other, broker, topic, group, letters, settings, versions);
  }

  /** {@return whether an open mark's message can be dead-lettered: to a topic of a broker} */
  public boolean canDeadLetter() {
    return broker.isPresent() && !letters.isEmpty();
  }

  /**
   * {@return the topics that a redrive may publish to; none if they are unknown}
   *
   * @param ofLetters the dead-letter topic
   */
  public Set<String> targets(String ofLetters) {
    return broker
        .flatMap(it -> it.targets(ofLetters))
        .orElseGet(() -> topic.isEmpty() ? Set.of() : Set.of(topic));
  }

  /**
   * {@return the broker}
   *
   * @throws IllegalArgumentException if there is none
   */
  public Broker requireBroker() {
    return broker.orElseThrow(() -> Text.of("console.no-broker").refusal());
  }
}
