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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The verbs that commit by themselves. Lists are not empty. */
final class Verbs {

  private static final String LOCKED = "the mark stayed locked by another transaction";

  static final Decision<Settlement, SettleAnswer> SETTLE =
      Decision.atAnyTime(it -> it.claim().key(), MarkMachine::settle);

  private final Borrowing borrowing;
  private final Statements statements;
  private final Decider decider;
  private final JdbcSettings settings;

  Verbs(Borrowing borrowing, Statements statements, Decider decider, JdbcSettings settings) {
    this.borrowing = borrowing;
    this.statements = statements;
    this.decider = decider;
    this.settings = settings;
  }

  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    Decision<ClaimRequest, ClaimAnswer> claim = new Decision<>(
        ClaimRequest::key,
        request -> request.terms().notAfter(),
        (mark, request, now) -> MarkMachine.claim(mark, request, lease, now));
    Map<MessageKey, ClaimAnswer> answers = borrowing
        .autocommit(
            "claim",
            handle -> decider.decideFresh(
                handle,
                requests,
                claim,
                Optional.of(request -> new ClaimAnswer.Busy(settings.lockWait()))))
        .answers();
    return inOrder(requests, ClaimRequest::key, answers);
  }

  List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    Decision<Claim, RenewAnswer> renew = Decision.atAnyTime(
        Claim::key, (mark, claim, now) -> MarkMachine.renew(mark, claim, lease, now));
    Map<MessageKey, RenewAnswer> answers = borrowing.autocommit("renew", handle -> {
      Map<UUID, Instant> renewed =
          unlessLocked(Map.of(), () -> statements.renew(handle, sorted(claims, Claim::key), lease));
      Map<MessageKey, RenewAnswer> known = new HashMap<>();
      List<Claim> rest = new ArrayList<>();
      for (Claim claim : claims) {
        Instant until = renewed.get(Column.key(claim.key()));
        if (until == null) {
          rest.add(claim);
        } else {
          known.put(claim.key(), new RenewAnswer.Renewed(until, false));
        }
      }
      if (!rest.isEmpty()) {
        known.putAll(decider
            .decide(handle, rest, renew, Optional.of(same -> new RenewAnswer.Unavailable(LOCKED)))
            .answers());
      }
      return known;
    });
    return inOrder(claims, Claim::key, answers);
  }

  List<SettleAnswer> settle(List<Settlement> settlements) {
    Map<MessageKey, SettleAnswer> answers = borrowing.autocommit("settle", handle -> {
      Set<MessageKey> settled = unlessLocked(Set.of(), () -> settleCurrent(handle, settlements));
      Map<MessageKey, SettleAnswer> known = new HashMap<>();
      settled.forEach(key -> known.put(key, new SettleAnswer.Settled(false)));
      List<Settlement> rest =
          settlements.stream().filter(it -> !settled.contains(it.claim().key())).toList();
      if (!rest.isEmpty()) {
        known.putAll(decider
            .decide(handle, rest, SETTLE, Optional.of(same -> new SettleAnswer.Unavailable(LOCKED)))
            .answers());
      }
      return known;
    });
    return inOrder(settlements, it -> it.claim().key(), answers);
  }

  /** Settles those claims whose marks still stand exactly as their owners hold them. */
  private Set<MessageKey> settleCurrent(Handle handle, List<Settlement> settlements) {
    return statements.settle(
        handle,
        sorted(settlements, it -> it.claim().key()).stream()
            .map(Verbs::expected)
            .toList());
  }

  /** What the machine makes of the mark that an owner believes in, at the beginning of time. */
  static Change expected(Settlement settlement) {
    Mark held = new Mark(
        settlement.claim(), MarkState.PROCESSING, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
    Mark next = MarkMachine.settle(held, settlement, Instant.EPOCH).next();
    return new Change(new StoredMark(held, 0), next, Instant.MAX);
  }

  List<Optional<Mark>> find(List<MessageKey> keys) {
    Map<MessageKey, StoredMark> marks =
        borrowing.autocommit("find", handle -> statements.read(handle, keys)).marks();
    return keys.stream()
        .map(key -> Optional.ofNullable(marks.get(key)).map(StoredMark::mark))
        .toList();
  }

  List<Mark> list(MarkQuery query) {
    return borrowing.autocommit("list", handle -> statements.list(handle, query));
  }

  boolean resolve(MessageKey key, Decision<MessageKey, Boolean> resolve) {
    return borrowing
        .autocommit(
            "resolve", handle -> decider.decide(handle, List.of(key), resolve, Optional.empty()))
        .changed()
        .contains(key);
  }

  int purge(int limit) {
    return borrowing.autocommit("purge", handle -> statements.purge(handle, limit));
  }

  private interface Statement<R> {
    R execute();
  }

  /** Where rows cannot be skipped, one locked row fails the statement; its items go one by one. */
  private static <R> R unlessLocked(R otherwise, Statement<R> statement) {
    try {
      return statement.execute();
    } catch (RuntimeException e) {
      if (SqlTrouble.isLockTimeout(e)) {
        return otherwise;
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
