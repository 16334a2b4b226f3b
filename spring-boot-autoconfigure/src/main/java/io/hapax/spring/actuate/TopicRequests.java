package io.hapax.spring.actuate;

import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.spring.listener.ListenerTopics;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Answers requests that read a topic. */
final class TopicRequests {

  private static final int LIMIT = 1_000;
  private static final int MAX_LIMIT = 100_000;

  private final ObjectProvider<ListenerTopics.Source> sources;
  private final LongRequests requests;

  TopicRequests(ObjectProvider<ListenerTopics.Source> sources, LongRequests requests) {
    this.sources = sources;
    this.requests = requests;
  }

  /** Answers with a result, once listener and topic are known. */
  private interface Request {
    WebEndpointResponse<Object> answer(ListenerTopics listener, String topic, int limit);
  }

  WebEndpointResponse<Object> audit(
      String consumer, @Nullable String topic, @Nullable Integer limit) {
    return answer(
        consumer,
        topic,
        limit,
        (listener, name, most) -> requests.run(
            consumer,
            progress -> TopicAuditDescription.of(
                listener
                    .operations()
                    .audit(progress)
                    .run(TopicPart.all(name), StartingPoint.newest(most)),
                name,
                most)));
  }

  WebEndpointResponse<Object> redrive(
      String consumer,
      @Nullable String topic,
      @Nullable Integer limit,
      @Nullable String id,
      boolean executes) {
    return answer(consumer, topic, limit, (listener, name, most) -> {
      Optional<String> letters = listener.deadLetters(name);
      return letters.isEmpty()
          ? LongRequests.refused(
              404,
              consumer,
              "Hapax publishes no dead-letter records of topic " + name
                  + ": hapax.dead-letters is not set, or Spring publishes them")
          : requests.run(
              consumer,
              progress -> RedriveDescription.of(
                  redrive(listener, name, StartingPoint.newest(most), selection(id), executes),
                  name,
                  letters.get(),
                  most));
    });
  }

  /** Publishes only to topics of the listener, and refuses messages without a mark. */
  private static RedriveReport redrive(
      ListenerTopics listener,
      String topic,
      StartingPoint from,
      DeadLetterSelection which,
      boolean executes)
      throws InterruptedException {
    TopicPart letters = TopicPart.all(listener.deadLetters(topic).orElseThrow());
    RedriveSettings rules = new RedriveSettings(targets(listener, topic), false);
    try (Redriver redriver = listener.operations().redriver(rules)) {
      return executes
          ? redriver.redrive(letters, from, which)
          : redriver.plan(letters, from, which);
    }
  }

  /** Returns the topics that share the dead-letter topic of this one. */
  private static Set<String> targets(ListenerTopics listener, String topic) {
    Set<String> targets = new HashSet<>(Set.of(topic));
    listener.names().stream()
        .filter(other -> listener.deadLetters(other).equals(listener.deadLetters(topic)))
        .forEach(targets::add);
    return targets;
  }

  private static DeadLetterSelection selection(@Nullable String id) {
    return id == null ? DeadLetterSelection.all() : DeadLetterSelection.of(List.of(id));
  }

  private WebEndpointResponse<Object> answer(
      String consumer, @Nullable String topic, @Nullable Integer limit, Request request) {
    List<ListenerTopics> listeners = sources
        .orderedStream()
        .flatMap(source -> source.topics().stream())
        .filter(it -> it.consumer().equals(consumer))
        .toList();
    if (listeners.isEmpty()) {
      return LongRequests.refused(404, consumer, "no listener of a broker has that consumer");
    }
    TreeSet<String> names = new TreeSet<>();
    listeners.forEach(listener -> names.addAll(listener.names()));
    String wanted = topic == null && names.size() == 1 ? names.first() : topic;
    Optional<ListenerTopics> reader =
        listeners.stream().filter(it -> wanted != null && it.reads(wanted)).findFirst();
    return wanted == null || reader.isEmpty()
        ? LongRequests.refused(
            400,
            consumer,
            "topic is " + topic + " but must be one that the consumer reads: "
                + String.join(", ", names))
        : request.answer(reader.get(), wanted, bounded(limit));
  }

  private static int bounded(@Nullable Integer limit) {
    return limit == null ? LIMIT : Math.max(1, Math.min(limit, MAX_LIMIT));
  }
}
