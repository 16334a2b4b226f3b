package io.hapax.jdbc;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Executes the verbs that commit statement by statement. Lists are not empty. */
record StatementVerbs(
    Connections connections, Statements statements, CompareAndSetLoop loop, JdbcSettings settings) {

  private static final String LOCKED = "the mark stayed locked by another transaction";

  static final Decision<Settlement, SettleAnswer> SETTLE =
      Decision.atAnyTime(it -> it.claim().key(), MarkMachine::settle);

  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    Decision<ClaimRequest, ClaimAnswer> claim = new Decision<>(
        ClaimRequest::key,
        request -> request.terms().notAfter(),
        (mark, request, now) -> MarkMachine.claim(mark, request, lease, now));
    Map<MessageKey, ClaimAnswer> answers = connections
        .autocommit(
            "claim",
            handle -> loop.decideFresh(
                handle, requests, claim, Optional.of(new ClaimAnswer.Busy(settings.lockWait()))))
        .answers();
    return inOrder(requests, ClaimRequest::key, answers);
  }

  /** Finds the requests whose messages are known to be done, in one statement without a lock. */
  List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    List<MessageKey> keys = requests.stream().map(ClaimRequest::key).toList();
    Statements.DoneMarks done =
        connections.autocommit("findDone", handle -> statements.readDone(handle, keys));
    Duration retention = settings.retention().done();
    return requests.stream()
        .map(request -> Optional.ofNullable(done.marks().get(request.key()))
            .flatMap(mark -> MarkMachine.findDone(mark, request, retention, done.now())))
        .toList();
  }

  List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    Decision<Claim, RenewAnswer> renew = Decision.atAnyTime(
        Claim::key, (mark, claim, now) -> MarkMachine.renew(mark, claim, lease, now));
    return currentFirst(
        "renew",
        claims,
        handle -> renewCurrent(handle, claims, lease),
        renew,
        new RenewAnswer.Unavailable(LOCKED));
  }

  List<SettleAnswer> settle(List<Settlement> settlements) {
    return currentFirst(
        "settle",
        settlements,
        handle -> settleCurrent(handle, settlements),
        SETTLE,
        new SettleAnswer.Unavailable(LOCKED));
  }

  /** Answers the claims that are current with one statement, and decides about the others. */
  private <I, A> List<A> currentFirst(
      String what,
      List<I> items,
      Function<Handle, Map<MessageKey, A>> statement,
      Decision<I, A> decision,
      A locked) {
    return connections.autocommit(what, handle -> {
      Optional<Map<MessageKey, A>> current = unlessLocked(() -> statement.apply(handle));
      Map<MessageKey, A> answers = new HashMap<>(current.orElse(Map.of()));
      List<I> rest = items.stream()
          .filter(item -> !answers.containsKey(decision.key().apply(item)))
          .toList();
      for (List<I> batch : batches(rest, current.isEmpty())) {
        answers.putAll(loop.decide(handle, batch, decision, Optional.of(locked)).answers());
      }
      return inOrder(items, decision.key(), answers);
    });
  }

  private static <I> List<List<I>> batches(List<I> items, boolean oneByOne) {
    return oneByOne
        ? items.stream().map(List::of).toList()
        : Stream.of(items).filter(batch -> !batch.isEmpty()).toList();
  }

  /** Renews the leases of the claims whose marks are unchanged since their owners acquired them. */
  private Map<MessageKey, RenewAnswer> renewCurrent(
      Handle handle, List<Claim> claims, Duration lease) {
    Map<UUID, Instant> renewed = statements.renew(handle, sorted(claims, Claim::key), lease);
    Map<MessageKey, RenewAnswer> answers = new HashMap<>();
    for (Claim claim : claims) {
      Optional.ofNullable(renewed.get(Column.key(claim.key())))
          .ifPresent(until -> answers.put(claim.key(), new RenewAnswer.Renewed(until, false)));
    }
    return answers;
  }

  /** Settles the claims whose marks are unchanged since their owners acquired them. */
  private Map<MessageKey, SettleAnswer> settleCurrent(Handle handle, List<Settlement> settlements) {
    List<Change> expected = sorted(settlements, it -> it.claim().key()).stream()
        .map(StatementVerbs::expected)
        .toList();
    return statements.settle(handle, expected).stream()
        .collect(Collectors.toMap(Function.identity(), key -> new SettleAnswer.Settled(false)));
  }

  /** Decides the mark that the owner expects, at time zero. */
  static Change expected(Settlement settlement) {
    Mark held = new Mark(
        settlement.claim(), MarkState.PROCESSING, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
    Mark next = MarkMachine.settle(held, settlement, Instant.EPOCH).next();
    return new Change(new StoredMark(held, 0), next, Instant.MAX);
  }

  List<Optional<Mark>> find(List<MessageKey> keys) {
    Map<MessageKey, StoredMark> marks =
        connections.autocommit("find", handle -> statements.read(handle, keys)).marks();
    return keys.stream()
        .map(key -> Optional.ofNullable(marks.get(key)).map(StoredMark::mark))
        .toList();
  }

  Instant now(MessageKey key) {
    return connections
        .autocommit("now", handle -> statements.read(handle, List.of(key)))
        .now();
  }

  List<Mark> list(MarkQuery query) {
    return connections.autocommit("list", handle -> statements.list(handle, query));
  }

  boolean resolve(MessageKey key, Decision<MessageKey, Boolean> resolve) {
    return connections
        .autocommit(
            "resolve", handle -> loop.decide(handle, List.of(key), resolve, Optional.empty()))
        .changed()
        .contains(key);
  }

  private interface Statement<R> {
    R execute();
  }

  /**
   * Executes a statement; empty if a row stayed locked, on databases that cannot skip locked rows.
   * The caller then goes item by item.
   */
  private static <R> Optional<R> unlessLocked(Statement<R> statement) {
    try {
      return Optional.of(statement.execute());
    } catch (RuntimeException e) {
      if (SqlErrors.isLockTimeout(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static <I> List<I> sorted(List<I> items, Function<I, MessageKey> key) {
    return items.stream().sorted(Comparator.comparing(key)).toList();
  }

  private static <I, A> List<A> inOrder(
      List<I> items, Function<I, MessageKey> key, Map<MessageKey, A> answers) {
    return items.stream()
        .map(item -> Optional.ofNullable(answers.get(key.apply(item))).orElseThrow())
        .collect(Collectors.toUnmodifiableList());
  }
}
