package io.hapax.testkit;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.store.MarkQuery;
import io.hapax.testkit.BrokenStores.Broken;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/** Stores with one bug each in lists. */
final class BrokenLists {

  static final List<Broken> ALL = List.of(
      new Broken(
          "lists no leased marks",
          "a_generation_stays_while_a_message_of_it_is_worked_on",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected boolean matches(Mark mark, MarkQuery.Kind kind) {
              return kind != MarkQuery.Kind.LEASED && super.matches(mark, kind);
            }
          }),
      new Broken(
          "lists stale marks as leased",
          "a_generation_moves_over_what_vanished_owners_and_failures_left",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected boolean matches(Mark mark, MarkQuery.Kind kind) {
              return kind == MarkQuery.Kind.LEASED
                  ? mark.state() == MarkState.PROCESSING
                  : super.matches(mark, kind);
            }
          }),
      new Broken(
          "lists retries as dead",
          "no_list_shows_a_generation",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected boolean matches(Mark mark, MarkQuery.Kind kind) {
              return super.matches(mark, kind)
                  || (kind == MarkQuery.Kind.DEAD && mark.state() == MarkState.RETRY);
            }
          }),
      new Broken(
          "lists marks of other scopes",
          "marks_of_another_scope_are_not_listed",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected boolean inScope(Mark mark, String scope) {
              return mark.key().scope().startsWith(scope);
            }
          }),
      new Broken(
          "lists ids in lower case",
          "operators_are_shown_ids_that_look_alike_as_they_are",
          (clock, retention) -> new Lists(clock, retention) {
            @Override
            Claim shown(Claim it) {
              String id = new String(it.key().id().toByteArray(), StandardCharsets.UTF_8);
              MessageKey small = MessageKey.of(it.key().scope(), id.toLowerCase(Locale.ROOT));
              return new Claim(
                  small, it.nonce(), it.token(), it.attempt(), it.fingerprint(), it.origin());
            }
          }),
      new Broken(
          "lists what is stale without its owner",
          "a_stale_mark_is_listed_with_owner_coordinates_and_age",
          ListsNoOwner::new),
      new Broken(
          "lists what is in doubt without its owner",
          "a_mark_in_doubt_is_listed_with_owner_and_next_attempt",
          ListsNoOwner::new),
      new Broken(
          "begins every page of what is stale anew",
          "stale_marks_and_those_in_doubt_are_shown_in_pages_too",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            public List<Mark> list(MarkQuery query) {
              return query.kind() == MarkQuery.Kind.DEAD
                  ? super.list(query)
                  : super.list(MarkQuery.first(query.scope(), query.kind(), query.limit()));
            }
          }));

  private BrokenLists() {}

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
}
