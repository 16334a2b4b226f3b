package io.hapax;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.TransactionalDedupStore;
import io.hapax.store.TransactionalDedupStore.BatchWork;
import io.hapax.store.TransactionalDedupStore.Work;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What the tests of transactional mode share that need no database. */
abstract class TransactionFixture extends FaultFixture {

  /** The machine in a map, whose transactions have no more to them than their answers. */
  @SuppressWarnings("unchecked")
  final TransactionalDedupStore<String> transactions(Fault fault) {
    return (TransactionalDedupStore<String>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {TransactionalDedupStore.class},
        (self, method, args) -> switch (method.getName()) {
          case "hashCode" -> System.identityHashCode(self);
          case "equals" -> self == args[0];
          case "runOnce" -> {
            List<ClaimRequest> requests = (List<ClaimRequest>) args[0];
            yield fault.through(
                "runOnce", requests, () -> runOnce(requests, (BatchWork<String, ?>) args[1]));
          }
          case "findDone" -> {
            List<ClaimRequest> requests = (List<ClaimRequest>) args[0];
            yield fault.through("findDone", requests, () -> findDone(requests));
          }
          case "completeWith" ->
            fault.through("completeWith", List.of(), () -> {
              ((Work<String, ?>) args[1]).run("");
              Claim claim = (Claim) args[0];
              return marks
                  .settle(List.of(new Settlement(claim, Verdict.Done.WITHOUT_RESULT)))
                  .get(0);
            });
          default ->
            fault.through(method.getName(), List.of(), () -> {
              try {
                return method.invoke(marks, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
        });
  }

  private List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    List<Optional<Mark>> found =
        marks.find(requests.stream().map(ClaimRequest::key).toList());
    return IntStream.range(0, requests.size())
        .mapToObj(i -> found
            .get(i)
            .flatMap(mark ->
                MarkMachine.findDone(mark, requests.get(i), marks.retention(), mark.until())))
        .toList();
  }

  private List<ClaimAnswer> runOnce(List<ClaimRequest> requests, BatchWork<String, ?> work)
      throws Exception {
    if (requests.isEmpty()) {
      return List.of();
    }
    List<ClaimAnswer> answers = marks.claim(requests, Duration.ofMinutes(1));
    work.run("", answers);
    marks.settle(answers.stream()
        .filter(ClaimAnswer.Acquired.class::isInstance)
        .map(it -> new Settlement(((ClaimAnswer.Acquired) it).claim(), Verdict.Done.WITHOUT_RESULT))
        .toList());
    return answers;
  }
}
