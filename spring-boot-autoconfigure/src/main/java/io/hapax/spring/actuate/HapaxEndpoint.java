package io.hapax.spring.actuate;

import io.hapax.mark.Resolution;
import io.hapax.redrive.MarkOperations;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The Actuator endpoint {@code hapax}: listeners and executors with their problems, marks,
 * decisions on single marks, audits of topics and redrives of dead-letter records. It shows no
 * payload.
 *
 * <p>The overview makes no call to a store; the other operations do, and fail if it does not
 * answer. Audits and redrives read the newest offsets of a topic, one request at a time and within
 * {@link ManagementProperties#timeout}. Boot 3.5 takes a parameter as optional only with Spring's
 * own annotation.
 */
@Endpoint(id = "hapax")
public class HapaxEndpoint {

  private static final int LIMIT = 20;

  private static final String WRITES_ARE_OFF = "hapax.management.writes is false but must be true"
      + " to change marks; protect the endpoint first";
  private static final String AUDIT = "audit";
  private static final String REDRIVE = "redrive";

  private final Receivers receivers;
  private final ProblemSource problems;
  private final TopicRequests topics;
  private final boolean writes;

  /**
   * Makes the endpoint.
   *
   * @param receivers the receivers of the application
   * @param problems the problems of its containers and executors
   * @param topics the topics of its listeners
   * @param properties whether the endpoint may write, and for how long a request may run
   */
  public HapaxEndpoint(
      Receivers receivers,
      ProblemSource problems,
      ObjectProvider<ListenerTopics.Source> topics,
      ManagementProperties properties) {
    this.receivers = receivers;
    this.problems = problems;
    this.topics = new TopicRequests(topics, new LongRequests(properties.timeout()));
    this.writes = properties.writes();
  }

  /**
   * All listeners and executors.
   *
   * @param consumers the listeners of each consumer, by its name
   * @param executors the present problems of each executor, by its name
   */
  public record Overview(
      Map<String, List<ListenerDescription>> consumers, Map<String, List<String>> executors) {}

  /**
   * Describes all listeners and executors.
   *
   * @return their state at this moment
   */
  @ReadOperation
  public Overview overview() {
    Map<String, List<String>> others = new LinkedHashMap<>();
    problems
        .problemsByName()
        .forEach((name, each) -> others.put(name, ReceiversHealth.texts(each)));
    Map<String, List<ListenerDescription>> consumers = receivers.all().stream()
        .collect(Collectors.groupingBy(
            each -> each.settings().consumer(),
            LinkedHashMap::new,
            Collectors.mapping(
                each -> ListenerDescription.of(
                    each, others.getOrDefault(each.settings().consumer(), List.of())),
                Collectors.toList())));
    others.keySet().removeAll(consumers.keySet());
    return new Overview(consumers, others);
  }

  /**
   * Describes marks of a consumer, or the mark of one message.
   *
   * @param consumer the consumer's name
   * @param id the message id as text, {@code 0x} and hexadecimal for bytes; null for a list
   * @param limit the maximum number of marks of each kind, at most 1000; null for 20
   * @return {@link ConsumerMarks}, or {@link MarkDescription} of the message; null, which is HTTP
   *     status 404, if there is no such consumer or mark
   */
  @ReadOperation
  @Nullable
  public Object marks(@Selector String consumer, @Nullable String id, @Nullable Integer limit) {
    Optional<DedupStore> store = store(consumer);
    if (store.isEmpty()) {
      return null;
    }
    MarkOperations marks = new MarkOperations(store.get(), consumer);
    return id == null
        ? ConsumerMarks.of(consumer, marks, bounded(limit))
        : marks.find(id).map(MarkDescription::of).orElse(null);
  }

  /**
   * Changes the mark of one message. The change takes effect at the next delivery of the message.
   *
   * @param consumer the consumer's name
   * @param id the message id, as for {@link #marks}
   * @param action {@code reopen}, {@code force-done}, {@code reopen-any-payload},
   *     {@code done-any-payload} or {@code forget}; {@link Resolution.Kind} says what each may
   *     repeat or lose
   * @param force whether to break a lease that is alive; null for no
   * @return the decision, with HTTP status 200 if the mark was changed. 403 means that writes are
   *     off, 400 an unknown action, 404 an unknown consumer, 409 that the mark does not allow it
   */
  @WriteOperation
  public WebEndpointResponse<MarkDecision> resolve(
      @Selector String consumer, String id, String action, @Nullable Boolean force) {
    if (!writes) {
      return refused(403, consumer, id, action, WRITES_ARE_OFF);
    }
    Optional<Resolution> resolution = MarkDecision.resolution(action, Boolean.TRUE.equals(force));
    if (resolution.isEmpty()) {
      return refused(
          400,
          consumer,
          id,
          action,
          "action is '" + action + "' but must be one of " + MarkDecision.actions());
    }
    Optional<DedupStore> store = store(consumer);
    if (store.isEmpty()) {
      return refused(404, consumer, id, action, "no listener has the consumer " + consumer);
    }
    Optional<String> refusal =
        new MarkOperations(store.get(), consumer).resolve(id, resolution.get());
    return refusal.isPresent()
        ? refused(409, consumer, id, action, refusal.get())
        : new WebEndpointResponse<>(new MarkDecision(consumer, id, action, true, ""));
  }

  /**
   * Reads a topic: audits it, or shows what a redrive would do. Changes nothing.
   *
   * @param consumer the consumer's name
   * @param view {@code audit} or {@code redrive}
   * @param topic a topic that the consumer reads; null if there is only one
   * @param id for a redrive, the id of a dead-lettered message, as for {@link #marks}; null for all
   * @param limit how many offsets of each partition or queue are read, the newest ones; null for
   *     1000, at most 100,000
   * @return {@link TopicAuditDescription} or {@link RedriveDescription}; without a result
   *     {@link TopicRefusal} with HTTP status 400 for an unknown topic, 404 for an unknown consumer
   *     or view or without a dead-letter topic, 429 while another request reads a topic, and 503 if
   *     the brokers or the store do not answer or the time is up
   */
  @ReadOperation
  public WebEndpointResponse<Object> read(
      @Selector String consumer,
      @Selector String view,
      @Nullable String topic,
      @Nullable String id,
      @Nullable Integer limit) {
    if (view.equals(AUDIT)) {
      return topics.audit(consumer, topic, limit);
    } else if (view.equals(REDRIVE)) {
      return topics.redrive(consumer, topic, limit, id, false);
    }
    return unknown(consumer, view, AUDIT + " or " + REDRIVE);
  }

  /**
   * Redrives dead-letter records: reopens their marks and publishes their messages to their topic.
   *
   * @param consumer the consumer's name
   * @param action {@code redrive}
   * @param topic a topic that the consumer reads; null if there is only one
   * @param id the id of a dead-lettered message, as for {@link #marks}; null with {@code all}
   * @param all whether to redrive the records of all messages; null for no
   * @param limit how many offsets of the dead-letter topic are read, as for {@link #read}
   * @return as {@link #read}, and HTTP status 403 if writes are off; 400 without one of {@code id}
   *     and {@code all}
   */
  @WriteOperation
  public WebEndpointResponse<Object> write(
      @Selector String consumer,
      @Selector String action,
      @Nullable String topic,
      @Nullable String id,
      @Nullable Boolean all,
      @Nullable Integer limit) {
    if (!writes) {
      return LongRequests.refused(403, consumer, WRITES_ARE_OFF);
    } else if (!action.equals(REDRIVE)) {
      return unknown(consumer, action, REDRIVE);
    } else if (Boolean.TRUE.equals(all) == (id != null)) {
      return LongRequests.refused(400, consumer, "one of id and all must be set, and not both");
    }
    return topics.redrive(consumer, topic, limit, id, true);
  }

  private static WebEndpointResponse<Object> unknown(String consumer, String name, String known) {
    return LongRequests.refused(
        404, consumer, "'" + name + "' behind the consumer must be " + known);
  }

  private static WebEndpointResponse<MarkDecision> refused(
      int status, String consumer, String id, String action, String why) {
    return new WebEndpointResponse<>(new MarkDecision(consumer, id, action, false, why), status);
  }

  private Optional<DedupStore> store(String consumer) {
    return receivers.of(consumer).stream().map(OpenReceiver::store).findFirst();
  }

  private static int bounded(@Nullable Integer limit) {
    return limit == null ? LIMIT : Math.max(1, Math.min(limit, MarkQuery.MAX_LIMIT));
  }
}
