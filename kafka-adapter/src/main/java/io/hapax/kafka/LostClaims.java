package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.generation.Generations;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Busy;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.store.MarkAdmin;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides about claims whose owner vanished, by the committed offset of its group: the Kafka
 * transaction of a claim holds the offset of its record. The mark keeps the coordinates of the
 * claim that was lost. They are compared, not those of the message that arrives now, which may be
 * another copy.
 *
 * <ul>
 *   <li>The offset is behind the committed one: the mark becomes DONE.
 *   <li>It is not, and the same record was redelivered: the claim may be taken over. This
 *       consumer's group has fenced the earlier owner, which cannot commit this offset any more.
 *   <li>It is not, and another copy has arrived: busy, because the earlier owner may still be in
 *       its group. After a quiet time the copy may take over, too.
 *   <li>The brokers do not answer: busy.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class LostClaims {

  private static final Logger LOG = LoggerFactory.getLogger(LostClaims.class);

  private static final Duration SHORTLY = Duration.ofSeconds(1);
  private static final int PAGE = 100;
  private static final int MOST_MET = 10_000;

  /** A lost claim; a late owner that renews it moves the end of its lease. */
  private record LostClaim(long token, Instant until) {

    static LostClaim of(Mark mark) {
      return new LostClaim(mark.claim().token(), mark.until());
    }
  }

  private final MarkAdmin store;
  private final CommittedOffsets offsets;
  private final long quietNanos;
  private final Map<LostClaim, Long> metNanos = new ConcurrentHashMap<>();

  private volatile @Nullable String problem;

  /** The quiet time is how long after its lease an owner that kept its partition may commit. */
  LostClaims(MarkAdmin store, CommittedOffsets offsets, Duration quiet) {
    this.store = store;
    this.offsets = offsets;
    this.quietNanos = quiet.toNanos();
  }

  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Marks those of committed transactions DONE. Returns the answers to those that must wait. */
  Map<MessageKey, ClaimAnswer> held(List<ClaimRequest> requests) {
    if (requests.isEmpty()) {
      return Map.of();
    }
    List<Optional<Mark>> marks =
        store.find(requests.stream().map(ClaimRequest::key).toList());
    Map<ClaimRequest, Mark> lost = new HashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      ClaimRequest request = requests.get(i);
      marks
          .get(i)
          .filter(mark -> isProbed(mark) && !mark.claim().nonce().equals(request.nonce()))
          .ifPresent(mark -> lost.put(request, mark));
    }
    Map<MessageKey, ClaimAnswer> held = new HashMap<>();
    Optional<Set<Mark>> committed = committed(lost.values());
    lost.forEach((request, mark) -> {
      if (committed.isEmpty() || !mayClaim(request, mark, committed.get().contains(mark))) {
        held.put(request.key(), new Busy(SHORTLY));
      }
    });
    return held;
  }

  /** Returns whether a mark is of this mode, and its owner may have committed a transaction. */
  private static boolean isProbed(Mark mark) {
    return mark.state() == MarkState.PROCESSING
        && RecordPlace.of(mark.claim().origin().coordinates())
            .filter(place -> !place.topicId().isEmpty())
            .isPresent();
  }

  private boolean mayClaim(ClaimRequest request, Mark mark, boolean committed) {
    if (committed) {
      return settle(mark);
    }
    if (mark.claim().origin().coordinates().equals(request.origin().coordinates())) {
      return true;
    }
    long now = System.nanoTime();
    if (metNanos.size() >= MOST_MET) {
      metNanos.clear(); // they wait anew
    }
    return now - metNanos.computeIfAbsent(LostClaim.of(mark), it -> now) >= quietNanos;
  }

  private Optional<Set<Mark>> committed(Collection<Mark> marks) {
    if (marks.isEmpty()) {
      return Optional.of(Set.of());
    }
    Map<Mark, RecordPlace> places = new HashMap<>();
    marks.forEach(mark ->
        places.put(mark, RecordPlace.of(mark.claim().origin().coordinates()).orElseThrow()));
    try {
      Map<String, String> ids = offsets.topicIds(places.values().stream()
          .map(place -> place.partition().topic())
          .distinct()
          .toList());
      places.values().removeIf(it -> !it.topicId().equals(ids.get(it.partition().topic())));
      Map<TopicPartition, Long> ends = offsets.of(
          places.values().stream().map(RecordPlace::partition).collect(Collectors.toSet()));
      places.values().removeIf(it -> ends.getOrDefault(it.partition(), -1L) <= it.offset());
      problem = null;
      return Optional.of(Set.copyOf(places.keySet()));
    } catch (AuditFailedException e) {
      LOG.warn(
          "It is unknown whether the transactions of {} lost claims were committed",
          marks.size(),
          e);
      problem =
          "it is unknown whether transactions of lost claims were committed: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private boolean settle(Mark mark) {
    boolean settled = store.resolve(
        mark.key(), mark.claim().token(), MarkState.PROCESSING, Resolution.FORCE_DONE);
    if (settled) {
      LOG.info(
          "{} at {} is DONE: its transaction was committed by {}, which vanished before it wrote that",
          mark.key(),
          mark.claim().origin().coordinates(),
          mark.claim().origin().owner());
    }
    return settled;
  }

  /** Returns the number of messages that became DONE. Looks at {@code limit} stale marks. */
  int settleCommitted(String consumer, int limit) {
    String scope = Generations.scope(store, consumer);
    int settled = 0;
    Optional<MarkQuery> next = Optional.of(MarkQuery.first(scope, MarkQuery.Kind.STALE, PAGE));
    for (int seen = 0; next.isPresent() && seen < limit; ) {
      MarkQuery query = next.get();
      List<Mark> page = store.list(query);
      seen += page.size();
      next = page.size() < PAGE ? Optional.empty() : Optional.of(query.next(page.get(PAGE - 1)));
      List<Mark> probed = page.stream().filter(LostClaims::isProbed).toList();
      for (Mark mark : committed(probed).orElse(Set.of())) {
        settled += settle(mark) ? 1 : 0;
      }
    }
    return settled;
  }
}
