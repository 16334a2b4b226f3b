package io.hapax.spring.listener;

import io.hapax.health.Problem;
import java.util.List;
import java.util.Map;

/** Has problems that belong to the health of the application, besides its receivers. A bean. */
@FunctionalInterface
public interface ProblemSource {

  /**
   * Returns the present problems, without a call to a store or a broker.
   *
   * @return the problems of each consumer or executor, by its name
   */
  Map<String, List<Problem>> problemsByName();
}
