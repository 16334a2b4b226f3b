package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Transition;
import io.hapax.store.StoreContentionException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Reads marks, lets the mark machine decide, and writes the decisions for rows that have not
 * changed since. Marks that another writer changed are read and decided again. A round has at most
 * three statements for any size of batch. Its keys are sorted, so that two batches cannot deadlock.
 *
 * <p>A decision needs a row or a confirmed absence. A key that the database did not answer is an
 * error, not an absent mark. A DONE mark that this batch may have written itself, without
 * confirmation, is not a duplicate: it would be committed without its effect.
 */
final class CompareAndSetLoop {

  private static final int ROUNDS = 10;

  private final Statements statements;

  CompareAndSetLoop(Statements statements) {
    this.statements = statements;
  }

  /** The answers to a batch, and the keys whose marks were changed. */
  record Outcome<A>(Map<MessageKey, A> answers, Set<MessageKey> changed) {}

  /** Decides a batch whose marks are expected to exist. */
  <I, A> Outcome<A> decide(
      Handle handle, List<I> items, Decision<I, A> decision, Optional<A> whenLocked) {
    return new Run<>(handle, decision, whenLocked).all(items, false);
  }

  /** Decides a batch whose marks are expected to be absent. */
  <I, A> Outcome<A> decideFresh(
      Handle handle, List<I> items, Decision<I, A> decision, Optional<A> whenLocked) {
    boolean timely =
        items.stream().noneMatch(item -> decision.notAfter().apply(item).isBefore(Instant.EPOCH));
    return new Run<>(handle, decision, whenLocked)
        .all(items, timely && statements.readsAndInserts());
  }

  private final class Run<I, A> {

    private final Handle handle;
    private final Decision<I, A> decision;
    private final Optional<A> whenLocked;
    private final Map<MessageKey, A> answers = new HashMap<>();
    private final Set<MessageKey> changed = new HashSet<>();
    private final Map<MessageKey, Claim> unconfirmed = new HashMap<>();

    Run(Handle handle, Decision<I, A> decision, Optional<A> whenLocked) {
      this.handle = handle;
      this.decision = decision;
      this.whenLocked = whenLocked;
    }

    Outcome<A> all(List<I> items, boolean insertFirst) {
      List<I> pending =
          items.stream().sorted(Comparator.comparing(decision.key())).toList();
      for (int round = 0; round < ROUNDS && !pending.isEmpty(); round++) {
        pending = boundedByLocks(pending, insertFirst);
      }
      if (!pending.isEmpty()) {
        throw new StoreContentionException(
            pending.size() + " marks were changed by others " + ROUNDS + " times in a row",
            new SQLException("compare-and-set lost", "40001"));
      }
      return new Outcome<>(answers, changed);
    }

    private List<I> boundedByLocks(List<I> pending, boolean insertFirst) {
      try {
        return round(pending, insertFirst);
      } catch (RuntimeException e) {
        if (whenLocked.isEmpty() || !SqlErrors.isLockTimeout(e)) {
          throw e;
        }
        for (I item : pending) {
          answers.putIfAbsent(decision.key().apply(item), whenLocked.get());
        }
        return List.of();
      }
    }

    private List<I> round(List<I> pending, boolean insertFirst) {
      Statements.Snapshot snapshot = insertFirst
          ? statements.readOrInsert(handle, pending.stream().map(this::template).toList())
          : statements.read(handle, pending.stream().map(decision.key()).toList());
      List<Change> inserts = new ArrayList<>();
      List<Change> updates = new ArrayList<>();
      Map<MessageKey, A> planned = new HashMap<>();
      for (I item : pending) {
        MessageKey key = decision.key().apply(item);
        StoredMark was = snapshot.marks().getOrDefault(key, new StoredMark(Mark.absent(key), 0));
        refuseUnconfirmed(was.mark());
        Transition<A> transition = decision.verb().decide(was.mark(), item, snapshot.now());
        boolean absent = was.mark().state() == MarkState.ABSENT;
        if (snapshot.inserted().contains(key)) {
          answers.put(key, transition.answer());
          changed.add(key);
        } else if (unchanged(was, transition)) {
          answers.put(key, transition.answer());
        } else if (!absent || snapshot.complete()) {
          Instant notAfter = decision.notAfter().apply(item);
          (absent ? inserts : updates).add(new Change(was, transition.next(), notAfter));
          planned.put(key, transition.answer());
        }
      }
      insert(inserts, planned);
      if (!updates.isEmpty()) {
        statements.update(handle, updates, keys -> written(keys, planned));
      }
      Stream.concat(inserts.stream(), updates.stream())
          .filter(change -> !answers.containsKey(change.next().key()))
          .forEach(change -> unconfirmed.put(change.next().key(), change.next().claim()));
      return pending.stream()
          .filter(item -> !answers.containsKey(decision.key().apply(item)))
          .toList();
    }

    /**
     * Refuses a DONE mark with this batch's own claim that neither the row count nor the row
     * confirmed as written. Another transaction will show whether it exists.
     */
    private void refuseUnconfirmed(Mark mark) {
      Claim tried = unconfirmed.get(mark.key());
      if (tried != null && mark.state() == MarkState.DONE && mark.claim().sameAs(tried)) {
        throw new StoreContentionException(
            "the mark of " + mark.key() + " with token " + tried.token()
                + " may be the one that was just written, but its row differs: does a"
                + " trigger change the table's rows?",
            new SQLException("unconfirmed write", "40001"));
      }
    }

    /** The machine returns the same object if nothing changes. */
    @SuppressWarnings("ReferenceEquality")
    private boolean unchanged(StoredMark was, Transition<A> transition) {
      return transition.next() == was.mark();
    }

    private void written(Set<MessageKey> keys, Map<MessageKey, A> planned) {
      for (MessageKey key : keys) {
        A answer = planned.get(key);
        if (answer != null) {
          answers.put(key, answer);
          changed.add(key);
        }
      }
    }

    /** Decides an absent mark at time zero; the statement adds the server's time. */
    private Change template(I item) {
      Mark absent = Mark.absent(decision.key().apply(item));
      Mark next = decision.verb().decide(absent, item, Instant.EPOCH).next();
      return new Change(new StoredMark(absent, 0), next, decision.notAfter().apply(item));
    }

    /**
     * Inserts rows, and one by one after a duplicate key on H2. H2 restarts a statement that waited
     * for another transaction, and then finds the rows of its own first try as duplicates. It
     * undoes them, and a single row cannot cause it. Rows that were written are answered even if a
     * later row stays locked.
     */
    private void insert(List<Change> inserts, Map<MessageKey, A> planned) {
      try {
        if (!inserts.isEmpty()) {
          statements.insert(handle, inserts, keys -> written(keys, planned));
        }
      } catch (RuntimeException e) {
        if (statements.readsAndInserts() || !SqlErrors.isDuplicateKey(e)) {
          throw e;
        }
        if (inserts.size() > 1) {
          inserts.forEach(one -> insert(List.of(one), planned));
        }
      }
    }
  }
}
