package io.hapax.spring.actuate;

import io.hapax.mark.Resolution;
import io.hapax.redrive.MarkOperations;
import io.hapax.spring.listener.OpenReceiver;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The Actuator endpoint {@code hapax}: listeners with their problems, marks, and decisions on
 * single marks. It shows no payload. To publish messages again, use the command line tool.
 *
 * <p>The overview makes no call to a store; the other operations do, and fail if it does not
 * answer. Boot 3.5 takes a parameter as optional only with Spring's own annotation.
 */
@Endpoint(id = "hapax")
public class HapaxEndpoint {

  private static final int LIMIT = 20;

  private final Receivers receivers;
  private final boolean writes;

  /**
   * Makes the endpoint.
   *
   * @param receivers the receivers of the application
   * @param writes whether marks may be changed
   */
  public HapaxEndpoint(Receivers receivers, boolean writes) {
    this.receivers = receivers;
    this.writes = writes;
  }

  /**
   * All listeners.
   *
   * @param consumers the listeners of each consumer, by its name
   */
  public record Overview(Map<String, List<ListenerDescription>> consumers) {}

  /**
   * Describes all listeners.
   *
   * @return their state at this moment
   */
  @ReadOperation
  public Overview overview() {
    return new Overview(receivers.all().stream()
        .collect(Collectors.groupingBy(
            each -> each.settings().consumer(),
            LinkedHashMap::new,
            Collectors.mapping(ListenerDescription::of, Collectors.toList()))));
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
   * @param action {@code reopen}, {@code force-done}, {@code reopen-any-payload} or
   *     {@code done-any-payload}; {@link Resolution.Kind} says what each may repeat or lose
   * @param force whether to break a lease that is alive; null for no
   * @return the decision; HTTP status 200 if the mark was changed, 403 if writes are off, 400 for
   *     an unknown action, 404 for an unknown consumer and 409 if the mark does not allow it
   */
  @WriteOperation
  public WebEndpointResponse<MarkDecision> resolve(
      @Selector String consumer, String id, String action, @Nullable Boolean force) {
    if (!writes) {
      return refused(
          403,
          consumer,
          id,
          action,
          "hapax.management.writes is false but must be true"
              + " to change marks; protect the endpoint first");
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
