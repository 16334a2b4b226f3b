package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.kafka.internal.RecordPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.AbstractFilteringMessageListener;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

/**
 * Finds the records that the application drops on purpose, before anything is claimed: they need no
 * id and leave no mark. The listener's filter decides about all records. An interceptor, which
 * prepares its thread for one record, decides only about those that have no id. Each consumer has
 * its own object.
 */
final class DroppedRecords {

  /** A filter is asked once, also if another consumer of the container reads the record again. */
  static final class Passed {

    private final Map<TopicPartition, NavigableSet<Long>> offsets = new ConcurrentHashMap<>();

    private NavigableSet<Long> of(ConsumerRecord<?, ?> record) {
      return offsets.computeIfAbsent(
          RecordPlace.of(record).partition(), each -> new ConcurrentSkipListSet<>());
    }
  }

  private final GenericMessageListener<?> listener;
  private final GenericMessageListener<?> behind;
  private final @Nullable RecordFilterStrategy<Object, Object> filter;
  private final @Nullable RecordInterceptor<Object, Object> interceptor;
  private final IdExtractor<ConsumerRecord<Object, Object>> ids;
  private final Passed passed;

  /** The places of the records of a poll for which the filter failed. */
  private final Set<RecordPlace> undecided = new HashSet<>();

  DroppedRecords(
      GenericMessageListener<?> listener,
      @Nullable RecordInterceptor<Object, Object> interceptor,
      IdExtractor<ConsumerRecord<Object, Object>> ids,
      Passed passed) {
    this.passed = passed;
    this.listener = listener;
    this.behind = behindFilter(listener);
    this.filter = filterOf(listener);
    this.interceptor = interceptor;
    this.ids = ids;
  }

  @SuppressWarnings("unchecked") // the container's filter takes its records
  private static @Nullable RecordFilterStrategy<Object, Object> filterOf(Object listener) {
    Object advised = AopProxyUtils.getSingletonTarget(listener);
    Object target = advised == null ? listener : advised;
    if (target instanceof AbstractFilteringMessageListener<?, ?, ?>) {
      return (RecordFilterStrategy<Object, Object>)
          new DirectFieldAccessor(target).getPropertyValue("recordFilterStrategy");
    }
    return target instanceof DelegatingMessageListener<?> delegating
        ? filterOf(delegating.getDelegate())
        : null;
  }

  /**
   * Returns the listener behind the filter, which may have a memory. If the filter failed for a
   * record, the call asks it again, so that the attempt fails.
   */
  GenericMessageListener<?> listener(List<ConsumerRecord<Object, Object>> records) {
    return records.stream().map(RecordPlace::of).noneMatch(undecided::contains) ? behind : listener;
  }

  private static GenericMessageListener<?> behindFilter(GenericMessageListener<?> listener) {
    Object advised = AopProxyUtils.getSingletonTarget(listener);
    if (!((advised == null ? listener : advised)
            instanceof AbstractFilteringMessageListener<?, ?, ?> filtering
        && filtering.getDelegate() instanceof GenericMessageListener<?> behind)) {
      return listener;
    }
    if (!(listener instanceof Advised advice)) {
      return behind;
    }
    ProxyFactory factory = new ProxyFactory(behind);
    factory.addAdvisors(advice.getAdvisors());
    return (GenericMessageListener<?>) factory.getProxy(behind.getClass().getClassLoader());
  }

  boolean filters(List<ConsumerRecord<Object, Object>> records) {
    return filterOf(listener(records)) != null;
  }

  Predicate<ConsumerRecord<Object, Object>> of(
      Iterable<ConsumerRecord<Object, Object>> records, Consumer<Object, Object> consumer) {
    undecided.clear();
    if (filter == null && interceptor == null) {
      return record -> false;
    }
    List<ConsumerRecord<Object, Object>> left = new ArrayList<>();
    Set<TopicPartition> begun = new HashSet<>();
    records.forEach(record -> {
      if (begun.add(RecordPlace.of(record).partition())) {
        passed.of(record).headSet(record.offset()).clear(); // they are finished
      }
      if (PolledRecord.failure(record).isEmpty()) {
        left.add(record);
      }
    });
    Set<RecordPlace> dropped = new HashSet<>();
    if (filter != null) {
      List<ConsumerRecord<Object, Object>> asked = new ArrayList<>(left);
      asked.removeIf(this::hasPassed);
      dropped.addAll(discarded(filter, asked));
      left.removeIf(record -> dropped.contains(RecordPlace.of(record)));
      left.forEach(this::passes);
    }
    if (interceptor != null) {
      for (ConsumerRecord<Object, Object> each : left) {
        if (hasNoId(each) && skips(interceptor, PolledRecord.plain(each), consumer)) {
          dropped.add(RecordPlace.of(each));
        }
      }
    }
    return record -> dropped.contains(RecordPlace.of(record));
  }

  private boolean hasPassed(ConsumerRecord<?, ?> record) {
    return passed.of(record).contains(record.offset());
  }

  private void passes(ConsumerRecord<?, ?> record) {
    if (!undecided.contains(RecordPlace.of(record))) {
      passed.of(record).add(record.offset());
    }
  }

  private Set<RecordPlace> discarded(
      RecordFilterStrategy<Object, Object> strategy, List<ConsumerRecord<Object, Object>> records) {
    if (records.isEmpty()) {
      return Set.of();
    } else if (!(listener instanceof BatchMessageListener)) {
      return records.stream()
          .filter(record -> discards(strategy, PolledRecord.plain(record)))
          .map(RecordPlace::of)
          .collect(Collectors.toSet());
    }
    List<ConsumerRecord<Object, Object>> plain =
        new ArrayList<>(records.stream().map(PolledRecord::plain).toList());
    try {
      Set<RecordPlace> discarded =
          records.stream().map(RecordPlace::of).collect(Collectors.toSet());
      strategy.filterBatch(plain).forEach(kept -> discarded.remove(RecordPlace.of(kept)));
      return discarded;
    } catch (RuntimeException | Error e) {
      records.forEach(record -> undecided.add(RecordPlace.of(record))); // the call meets it again
      return Set.of();
    }
  }

  private boolean discards(
      RecordFilterStrategy<Object, Object> strategy, ConsumerRecord<Object, Object> record) {
    try {
      return strategy.filter(record);
    } catch (RuntimeException | Error e) {
      undecided.add(RecordPlace.of(record)); // the call of the listener meets it again
      return false;
    }
  }

  private boolean hasNoId(ConsumerRecord<Object, Object> record) {
    try {
      return ids.idOf(record).filter(id -> !id.isBlank()).isEmpty();
    } catch (RuntimeException e) {
      return true;
    } catch (Error e) {
      return false; // the engine meets it again, and has its rules for it
    }
  }

  private static boolean skips(
      RecordInterceptor<Object, Object> interceptor,
      ConsumerRecord<Object, Object> record,
      Consumer<Object, Object> consumer) {
    try {
      ConsumerRecord<Object, Object> intercepted = interceptor.intercept(record, consumer);
      if (intercepted != null) {
        interceptor.afterRecord(intercepted, consumer);
      }
      return intercepted == null;
    } catch (RuntimeException | Error e) {
      return false; // then it is treated as a record without an id
    }
  }
}
