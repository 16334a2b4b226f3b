package io.hapax.testkit;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Transition;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Stores with one bug each, as real stores have had them. */
final class BrokenStores {

  /** A bug, the test of the contract that must detect it, and the store. */
  record Broken(
      String what,
      String contractTest,
      BiFunction<InstantSource, Duration, ? extends DedupStore> opening) {}

  private static final List<Broken> OTHERS = List.of(
      new Broken(
          "purges by the age of the claim",
          "no_time_and_no_purge_takes_a_generation_away",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            public int purge(int limit) {
              Instant horizon = now().minus(retention());
              List<Mark> old = marks().values().stream()
                  .filter(mark -> mark.claimedAt().isBefore(horizon))
                  .limit(limit)
                  .toList();
              return (int)
                  old.stream().filter(mark -> marks().remove(mark.key(), mark)).count();
            }
          }),
      new Broken(
          "purges the dead, too",
          "only_done_marks_past_retention_are_removed",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected boolean mayBePurged(Mark mark) {
              return mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
            }
          }),
      new Broken(
          "answers in an order of its own",
          "a_mark_in_each_state_is_answered_and_changed_as_by_the_machine",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
              List<ClaimRequest> sorted = new ArrayList<>(requests);
              Collections.sort(sorted, (one, two) -> one.key().compareTo(two.key()));
              return super.claim(sorted, lease);
            }
          }),
      new Broken(
          "ignores blanks around ids",
          "ids_that_look_alike_are_different_messages",
          StripsIds::new),
      new Broken(
          "settles ids that differ in blanks together",
          "messages_that_look_alike_end_each_in_its_own_way",
          StripsIds::new),
      new Broken(
          "writes leases by a client's clock that is late",
          "a_client_whose_clock_is_behind_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "writes leases by a client's clock that is ahead",
          "a_client_whose_clock_is_ahead_neither_steals_nor_loses_a_lease",
          JudgesByClient::new),
      new Broken(
          "tells a client's time",
          "now_is_the_time_by_which_leases_are_judged_and_changes_nothing",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            public Instant now(MessageKey key) {
              return Instant.now();
            }
          }),
      new Broken(
          "differs from the machine when a clock is off",
          "a_client_whose_clock_is_ahead_gets_the_answers_of_the_machine",
          JudgesByClient::new));

  static final List<Broken> ALL = Stream.of(
          OTHERS, BrokenClaims.ALL, BrokenOwners.ALL, BrokenLists.ALL, BrokenOperators.ALL)
      .flatMap(List::stream)
      .toList();

  private BrokenStores() {}

  static Broken that(String what) {
    return ALL.stream().filter(broken -> broken.what().equals(what)).findFirst().orElseThrow();
  }

  private static class StripsIds extends MachineStore {
    StripsIds(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
      return super.claim(requests.stream().map(StripsIds::stripped).toList(), lease);
    }

    private static ClaimRequest stripped(ClaimRequest request) {
      String id = new String(request.key().id().toByteArray(), StandardCharsets.UTF_8).strip();
      MessageKey key = MessageKey.of(request.key().scope(), id.isEmpty() ? "-" : id);
      return new ClaimRequest(
          key, request.nonce(), request.fingerprint(), request.origin(), request.terms());
    }
  }

  /** The difference between server and client clock at the first claim shifts all later leases. */
  private static class JudgesByClient extends MachineStore {
    private final InstantSource server;
    private final Instant opened;
    private Optional<Duration> off = Optional.empty();

    JudgesByClient(InstantSource clock, Duration retention) {
      super(clock, retention);
      this.server = clock;
      this.opened = clock.instant();
    }

    @Override
    protected synchronized Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease) {
      Duration difference = off.orElseGet(() -> Duration.between(opened, server.instant()));
      off = Optional.of(difference);
      Duration byClient = lease.minus(difference);
      return super.claim(mark, request, byClient.isZero() ? Duration.ofMillis(1) : byClient);
    }
  }
}
