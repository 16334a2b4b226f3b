package io.hapax.spring.autoconfigure;

import io.hapax.IdempotentExecutor;
import io.hapax.TransactionalExecutor;
import io.hapax.health.Problem;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.web.RequestExecutor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The executors that are beans, also those that the application builds. Their problems belong to
 * its health. All are closed before the clients of their stores. Thread-safe.
 */
final class ExecutorBeans implements DestructionAwareBeanPostProcessor, ProblemSource {

  private record Executor(String name, Supplier<List<Problem>> problems, Runnable close) {}

  private static final boolean TRANSACTIONS = ClassUtils.isPresent(
      "org.springframework.transaction.support.TransactionSynchronizationManager",
      ExecutorBeans.class.getClassLoader());

  private final Map<Object, Executor> executors = new ConcurrentHashMap<>();

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Object of = executorOf(bean);
    if (of instanceof IdempotentExecutor leased) {
      String name = Objects.requireNonNullElse(leased.name(), beanName); // a mock has no name
      if (add(leased, new Executor(name, leased::problems, leased::close))) {
        refuseInsideTransactions(name, leased);
      }
    } else if (of instanceof TransactionalExecutor<?> joined) {
      String name = Objects.requireNonNullElse(joined.name(), beanName);
      add(joined, new Executor(name, joined::problems, joined::close));
    }
    return bean;
  }

  /** The effect would join that transaction, and a later rollback would lose it. */
  private static void refuseInsideTransactions(String name, IdempotentExecutor executor) {
    if (TRANSACTIONS) {
      executor.addPrecondition(() -> Ambient.refuse(name));
    }
  }

  /** Is not loaded without spring-tx. */
  private static final class Ambient {

    static void refuse(String name) {
      if (TransactionSynchronizationManager.isActualTransactionActive()) {
        throw new IllegalStateException("execute of executor '" + name + "' was called inside a"
            + " transaction of Spring but must not be in leased mode: the executor would mark the"
            + " call DONE before that transaction commits, and a rollback would lose its effect."
            + " Call it outside the transaction, or build an executor with transactional(store)");
      }
    }
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

  void close() {
    executors.values().forEach(each -> each.close().run());
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    return ProblemSource.grouped(
        executors.values().stream(), Executor::name, each -> each.problems().get());
  }
}
