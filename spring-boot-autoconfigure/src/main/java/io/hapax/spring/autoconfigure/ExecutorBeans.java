package io.hapax.spring.autoconfigure;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.hapax.IdempotentExecutor;
import io.hapax.TransactionalExecutor;
import io.hapax.health.Problem;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.web.RequestExecutor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * The executors that are beans, also those that the application builds. A leased one refuses calls
 * inside a transaction of Spring. All are closed before the clients of their stores, and their
 * problems belong to health. Thread-safe.
 */
final class ExecutorBeans implements DestructionAwareBeanPostProcessor, ProblemSource {

  private record Executor(String name, Supplier<List<Problem>> problems, Runnable close) {}

  private final Map<Object, Executor> executors = new ConcurrentHashMap<>();

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Object of = executorOf(bean);
    if (of instanceof IdempotentExecutor leased) {
      String name = Objects.requireNonNullElse(leased.name(), beanName); // a mock has no name
      if (add(leased, new Executor(name, leased::problems, leased::close))) {
        AmbientTransactions.refuse(name, leased);
      }
    } else if (of instanceof TransactionalExecutor<?> joined) {
      String name = Objects.requireNonNullElse(joined.name(), beanName);
      add(joined, new Executor(name, joined::problems, joined::close));
    }
    return bean;
  }

  private boolean add(Object key, Executor executor) {
    return executors.putIfAbsent(key, executor) == null;
  }

  @Override
  public boolean requiresDestruction(Object bean) {
    return executors.containsKey(executorOf(bean));
  }

  /** Forgets a bean that ends before its context, such as one with a scope. */
  @Override
  public void postProcessBeforeDestruction(Object bean, String beanName) {
    executors.remove(executorOf(bean));
  }

  private static Object executorOf(Object bean) {
    return bean instanceof RequestExecutor requests ? requests.executor() : bean;
  }

  /** Closes the executors. A second call has no effect. */
  void close() {
    executors.values().forEach(each -> each.close().run());
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    return executors.values().stream()
        .collect(groupingBy(
            Executor::name,
            TreeMap::new,
            flatMapping(each -> each.problems().get().stream(), toList())));
  }
}
