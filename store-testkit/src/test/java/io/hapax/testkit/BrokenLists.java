package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.store.MarkQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/** Stores with one bug each in lists. */
final class BrokenLists {

  private BrokenLists() {}

  static final class ListsEveryScope extends MachineStore {
    ListsEveryScope(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected boolean inScope(Mark mark, String scope) {
      return mark.key().scope().startsWith(scope);
    }
  }

  private abstract static class Lists extends MachineStore {
    Lists(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    abstract Claim shown(Claim claim);

    @Override
    public List<Mark> list(MarkQuery query) {
      return super.list(query).stream()
          .map(mark -> new Mark(
              shown(mark.claim()), mark.state(), mark.claimedAt(), mark.until(), mark.detail()))
          .toList();
    }
  }

  static final class ListsSmallLetters extends Lists {
    ListsSmallLetters(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    Claim shown(Claim it) {
      String id = new String(it.key().id().toByteArray(), StandardCharsets.UTF_8);
      MessageKey small = MessageKey.of(it.key().scope(), id.toLowerCase(Locale.ROOT));
      return new Claim(small, it.nonce(), it.token(), it.attempt(), it.fingerprint(), it.origin());
    }
  }

  static final class ListsNoOwner extends Lists {
    ListsNoOwner(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    Claim shown(Claim it) {
      return new Claim(
          it.key(), it.nonce(), it.token(), it.attempt(), it.fingerprint(), new Origin("", ""));
    }
  }

  static final class ListsNoLeasedMarks extends MachineStore {
    ListsNoLeasedMarks(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected boolean matches(Mark mark, MarkQuery.Kind kind) {
      return kind != MarkQuery.Kind.LEASED && super.matches(mark, kind);
    }
  }

  static final class ListsStaleAsLeased extends MachineStore {
    ListsStaleAsLeased(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected boolean matches(Mark mark, MarkQuery.Kind kind) {
      return kind == MarkQuery.Kind.LEASED
          ? mark.state() == MarkState.PROCESSING
          : super.matches(mark, kind);
    }
  }

  static final class ListsRetriesAsDead extends MachineStore {
    ListsRetriesAsDead(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected boolean matches(Mark mark, MarkQuery.Kind kind) {
      return super.matches(mark, kind)
          || (kind == MarkQuery.Kind.DEAD && mark.state() == MarkState.RETRY);
    }
  }

  static final class ListsFirstPages extends MachineStore {
    ListsFirstPages(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    public List<Mark> list(MarkQuery query) {
      return query.kind() == MarkQuery.Kind.DEAD
          ? super.list(query)
          : super.list(MarkQuery.first(query.scope(), query.kind(), query.limit()));
    }
  }
}
