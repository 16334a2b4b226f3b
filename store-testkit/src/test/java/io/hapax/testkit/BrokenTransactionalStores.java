package io.hapax.testkit;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Done;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Transition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Transactional stores with one bug each in what is committed or rolled back. */
final class BrokenTransactionalStores {

  /** A bug, the test of the contract that must detect it, and the store. */
  record Broken(
      String what,
      String contractTest,
      BiFunction<InstantSource, Duration, UndoableStore> opening) {}

  static final List<Broken> ALL = List.of(
      new Broken(
          "commits the effect without its mark",
          "an_absent_message_is_done_together_with_its_effect",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected void commit(Map<MessageKey, Mark> changed, List<String> written) {
              super.commit(Map.of(), written);
            }
          }),
      new Broken(
          "commits the mark without its effect",
          "an_absent_message_is_done_together_with_its_effect",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected void commit(Map<MessageKey, Mark> changed, List<String> written) {
              super.commit(changed, List.of());
            }
          }),
      new Broken(
          "commits the mark before the work",
          "work_that_fails_takes_marks_and_effects_back",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected HeapTransaction begin(Map<MessageKey, Mark> changed) {
              commit(changed, List.of());
              return super.begin(changed);
            }
          }),
      new Broken(
          "answers every existing mark as a duplicate",
          "a_retry_that_is_due_is_done_together_with_its_effect",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> complete(Mark mark, ClaimRequest request) {
              return mark.state() == MarkState.ABSENT
                  ? super.complete(mark, request)
                  : new Transition<>(mark, new ClaimAnswer.Done(Bytes.EMPTY, mark.until(), false));
            }
          }),
      new Broken(
          "commits the mark although an error took the effect",
          "an_error_that_the_work_swallows_leaves_all_of_it_or_nothing",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected HeapTransaction begin(Map<MessageKey, Mark> changed) {
              return new HeapTransaction() {
                @Override
                void meetError() {
                  forget();
                  throw new IllegalArgumentException("constraint");
                }
              };
            }
          }),
      new Broken(
          "commits the mark after the work rolled back",
          "work_that_rolls_back_by_hand_leaves_nothing_and_fails",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected HeapTransaction begin(Map<MessageKey, Mark> changed) {
              return new HeapTransaction() {
                @Override
                void rollBack() {
                  forget();
                }
              };
            }
          }),
      new Broken(
          "runs the work of a late owner",
          "a_late_owner_completes_nothing_and_its_work_is_not_run",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected boolean mayRun(Mark mark, SettleAnswer answer) {
              return mark.state() != MarkState.DONE;
            }
          }),
      new Broken(
          "runs the work again when its answer was lost",
          "a_committed_claim_gets_the_same_answer_again_without_running",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected boolean mayRun(Mark mark, SettleAnswer answer) {
              return answer instanceof SettleAnswer.Settled;
            }
          }),
      new Broken(
          "does not run the work of a mark that was lost",
          "a_lost_mark_is_written_with_its_effect_and_reported",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected boolean mayRun(Mark mark, SettleAnswer answer) {
              return super.mayRun(mark, answer) && mark.state() != MarkState.ABSENT;
            }
          }),
      new Broken(
          "finds a message whose retention has ended",
          "a_done_mark_that_has_outlived_its_retention_is_not_found",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              return MarkMachine.findDone(mark, request, Duration.ofDays(36_500), now());
            }
          }),
      new Broken(
          "finds a message with another payload",
          "a_done_mark_of_another_payload_is_not_found",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              return super.findDone(mark, Bench.withFingerprint(request, Fingerprint.NONE));
            }
          }),
      new Broken(
          "finds a message of another generation",
          "a_done_mark_of_another_generation_is_not_found",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            public List<Optional<Done>> findDone(List<ClaimRequest> requests) {
              return requests.stream()
                  .map(request -> marks().values().stream()
                      .filter(mark -> mark.key().id().equals(request.key().id()))
                      .flatMap(mark -> findDone(mark, request).stream())
                      .findFirst())
                  .toList();
            }
          }),
      new Broken(
          "finds a message whose mark is not done",
          "a_mark_that_is_not_done_is_not_found",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              return mark.state() == MarkState.ABSENT
                  ? Optional.empty()
                  : Optional.of(new Done(Bytes.EMPTY, mark.until(), false));
            }
          }),
      new Broken(
          "finds a message that is not committed",
          "a_mark_that_is_not_committed_is_neither_found_nor_waited_for",
          (clock, retention) -> new UndoableStore(clock, retention) {
            private final Map<MessageKey, Mark> uncommitted = new ConcurrentHashMap<>();

            @Override
            protected HeapTransaction begin(Map<MessageKey, Mark> changed) {
              uncommitted.putAll(changed);
              return super.begin(changed);
            }

            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              return super.findDone(uncommitted.getOrDefault(mark.key(), mark), request);
            }
          }),
      new Broken(
          "answers a look-up that came too late",
          "a_request_that_came_too_late_is_not_answered",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              ClaimTerms anyTime = new ClaimTerms(false, false, ClaimTerms.ANY_TIME);
              return super.findDone(mark, Bench.withTerms(request, anyTime));
            }
          }),
      new Broken(
          "shows no result to a look-up",
          "a_done_message_is_found_as_a_transaction_answers_it",
          (clock, retention) -> new UndoableStore(clock, retention) {
            @Override
            protected Optional<Done> findDone(Mark mark, ClaimRequest request) {
              return super.findDone(mark, request)
                  .map(it -> new Done(Bytes.EMPTY, it.doneAt(), it.own()));
            }
          }));

  private BrokenTransactionalStores() {}
}
