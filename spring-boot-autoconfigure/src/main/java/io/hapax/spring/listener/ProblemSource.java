package io.hapax.spring.listener;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.hapax.health.Problem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** Has problems that belong to the health of the application, besides its receivers. A bean. */
@FunctionalInterface
public interface ProblemSource {

  /** Returns the present problems, without a call to a store or a broker. */
  Map<String, List<Problem>> problemsByName();

  /** Joins sources, which are looked up at each call. */
  static ProblemSource joined(ObjectProvider<ProblemSource> sources) {
    return () -> grouped(
        sources.orderedStream().flatMap(each -> each.problemsByName().entrySet().stream()),
        Map.Entry::getKey,
        Map.Entry::getValue);
  }

  /** Returns the problems of several things that may share a name; empty for one without any. */
  static <T> Map<String, List<Problem>> grouped(
      Stream<T> all, Function<T, String> name, Function<T, List<Problem>> problems) {
    return all.collect(
        groupingBy(name, TreeMap::new, flatMapping(it -> problems.apply(it).stream(), toList())));
  }
}
