package io.hapax.spring.actuate;

import io.hapax.operations.redrive.MarkOperations;
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
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/**
 * The endpoint {@code hapax} shows no payload, and changes nothing. The overview makes no call to a
 * store. Boot 3.5 takes a parameter as optional only with Spring's own annotation.
 */
@Endpoint(id = "hapax")
public class HapaxEndpoint {

  private static final int LIMIT = 20;

  private final Receivers receivers;
  private final ProblemSource problems;

  public HapaxEndpoint(Receivers receivers, ProblemSource problems) {
    this.receivers = receivers;
    this.problems = problems;
  }

  /** All listeners and executors. */
  public record Overview(
      Map<String, List<ListenerDescription>> consumers, Map<String, List<String>> executors) {}

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

  /** Null, which is HTTP status 404, if there is no such consumer or mark. */
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

  private Optional<DedupStore> store(String consumer) {
    return receivers.of(consumer).stream().map(OpenReceiver::store).findFirst();
  }

  private static int bounded(@Nullable Integer limit) {
    return limit == null ? LIMIT : Math.max(1, Math.min(limit, MarkQuery.MAX_LIMIT));
  }
}
