package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Checks which messages a redrive reopens, and which dead-letter records it selects. */
class RedriveTest extends MarkFixture {

  private static final DeadLetterMetadata NOTE =
      note("orders", "a", DeadLetter.Kind.ATTEMPTS_EXHAUSTED.name());

  private static final Instant DIED = Instant.parse("2026-11-18T10:00:00Z");

  private static final RedriveSettings ACCEPTING = RedriveSettings.to("orders").acceptingUnmarked();

  private final RedriveRun redrive = redrive(store, ACCEPTING);

  static RedriveRun redrive(DedupStore on, RedriveSettings settings) {
    return new RedriveRun(on, "orders", DeadLetterSelection.all(), settings, true);
  }

  private static RedriveRun plan(DedupStore on, RedriveSettings settings) {
    return new RedriveRun(on, "orders", DeadLetterSelection.all(), settings, false);
  }

  private static DeadLetterMetadata note(String consumer, String id, String kind) {
    return new DeadLetterMetadata(consumer, id, 3, kind, "no such item", true, "orders-0@7", "");
  }

  /** The letter of a message under the id that it died under. */
  private static StoredDeadLetter letter(String id) {
    return letter(
        id, note("orders", Bytes.utf8(id).toString(), DeadLetter.Kind.ATTEMPTS_EXHAUSTED.name()));
  }

  private static StoredDeadLetter letter(String id, DeadLetterMetadata note) {
    return letter(id, note, DIED.toEpochMilli());
  }

  private static StoredDeadLetter letter(String id, DeadLetterMetadata note, long diedAt) {
    return StoredDeadLetter.of(
        "dead-0@1", diedAt, note, id, it -> Optional.of(Bytes.utf8(it)), Optional.empty());
  }

  private static StoredDeadLetter letterOf(DeadLetter.Kind kind) {
    return letter("a", note("orders", "a", kind.name()));
  }

  /** Both the dry answer and the real one, which must agree. */
  private RedriveResult answer(StoredDeadLetter letter) {
    RedriveResult dry = plan(store, ACCEPTING).reopen(letter);
    assertThat(redrive.reopen(letter)).isEqualTo(dry);
    return dry;
  }

  @Test
  void a_dead_mark_is_reopened_with_no_attempts_and_no_doubt() {
    settle(new Verdict.Dead("no such item"));

    assertThat(plan(store, ACCEPTING).reopen(letter("a"))).isEqualTo(new Published());
    assertThat(mark().state()).as("a look changes nothing").isEqualTo(MarkState.DEAD);
    assertThat(redrive.reopen(letter("a"))).isEqualTo(new Published());

    assertThat(mark().state()).isEqualTo(MarkState.RETRY);
    assertThat(mark().claim().attempt().number()).isZero();
    assertThat(mark().claim().attempt().inDoubt()).isFalse();
    assertThat(redrive.reopen(letter("a")))
        .as("after a crash, once more")
        .isEqualTo(new Published());
  }

  @Test
  void what_has_no_mark_any_more_may_run_and_that_is_said() {
    assertThat(answer(letter("a"))).isEqualTo(new Published(true));
    assertThat(new Published(true).why().toString())
        .isEqualTo("there is no mark of it in this store");
  }

  @Test
  void what_never_had_a_mark_may_run_and_that_is_said() {
    for (String kind : List.of("MISSING_ID", "MISSING_FINGERPRINT")) {
      assertThat(answer(letter("a", note("orders", "", kind)))).isEqualTo(new Published(true));
    }
  }

  @Test
  void what_could_not_be_compared_is_not_taken_for_what_is_under_its_id() {
    StoredDeadLetter uncompared = letter("a", note("orders", "", "MISSING_FINGERPRINT"));
    settle(new Verdict.Dead("no such item"));
    assertThat(answer(uncompared)).isInstanceOf(Refused.class);
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);

    StoredDeadLetter behindDone = letter("b", note("orders", "", "MISSING_FINGERPRINT"));
    settle("b", Verdict.Done.WITHOUT_RESULT);
    assertThat(answer(behindDone)).as("its consumer compares it").isEqualTo(new Published(true));
  }

  @Test
  void what_has_no_mark_is_refused_unless_that_is_accepted() {
    RedriveSettings careful = RedriveSettings.to("orders");
    String refused = "Refused[why=there is no mark of it in this store (unmarked records are not"
        + " accepted), unmarked=true]";

    for (StoredDeadLetter unmarked :
        List.of(letter("b"), letter("a", note("orders", "", "MISSING_FINGERPRINT")))) {
      assertThat(plan(store, careful).reopen(unmarked)).hasToString(refused);
      assertThat(redrive(store, careful).reopen(unmarked)).hasToString(refused);
    }
    settle(new Verdict.Dead("no such item"));
    assertThat(redrive(store, careful).reopen(letter("a"))).isEqualTo(new Published());
  }

  @Test
  void only_topics_that_are_named_may_be_published_to() {
    RedriveSettings settings = RedriveSettings.to("orders", "returns");

    assertThat(settings.refusal("returns")).isEmpty();
    assertThat(settings.refusal("payments"))
        .get()
        .hasToString("it came from topic payments, but only orders, returns may be published to");
    assertThatThrownBy(RedriveSettings::to)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("targets is [] but must name at least one topic, and no blank one");
    assertThatThrownBy(() -> RedriveSettings.to(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_record_whose_message_has_another_id_now_is_refused() {
    settle(new Verdict.Dead("no such item"));

    assertThat(answer(letter("customer-17", NOTE)))
        .hasToString("Refused[why=its id is customer-17 here, but it died as a, unmarked=false]");

    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void an_id_matches_the_name_that_fits_into_its_dead_letter_record() {
    for (String id : List.of(" spaced ", "a".repeat(200), "\u0001\u0002", "Gr\u00f6\u00dfe")) {
      String name = Bytes.utf8(id).toString().strip(); // as a broker may have it
      String kind = DeadLetter.Kind.ATTEMPTS_EXHAUSTED.name();

      assertThat(answer(letter(id, note("orders", name, kind)))).isEqualTo(new Published(true));
      assertThat(answer(letter(id, note("orders", "", kind)))).isEqualTo(new Published(true));
    }
  }

  @Test
  void what_was_done_meanwhile_is_left_alone() {
    settle(Verdict.Done.WITHOUT_RESULT);

    assertThat(answer(letter("a"))).hasToString("NotDead[why=it is done]");
    assertThat(mark().state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void what_is_being_handled_or_tried_again_is_left_alone() {
    Claim claim = claim("a");
    assertThat(answer(letter("a"))).hasToString("NotDead[why=it is being handled]");

    settle(claim, new Verdict.Retry(Duration.ZERO, true));

    assertThat(answer(letter("a"))).hasToString("NotDead[why=it is being tried again]");
    assertThat(mark().claim().attempt().inDoubt()).isTrue();
  }

  /** Its message was acknowledged as dead, and waits for the end of the lease when it comes. */
  @Test
  void a_lost_mark_that_a_late_renewal_wrote_does_not_stop_a_redrive() {
    InMemoryDedupStore lossy = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
    lossy.renew(List.of(claim("a")), LEASE);
    leasesEnd();

    assertThat(redrive(lossy, RedriveSettings.to("orders")).reopen(letter("a")))
        .isEqualTo(new Published());
  }

  @Test
  void a_reopened_mark_is_reopened_again_in_case_the_store_lost_the_first() {
    settle(new Verdict.Dead("no such item"));
    redrive.reopen(letter("a"));
    long first = mark().claim().token();

    assertThat(answer(letter("a"))).isEqualTo(new Published());

    assertThat(mark().claim().token()).isGreaterThan(first);
    assertThat(mark().state()).isEqualTo(MarkState.RETRY);
  }

  /** A client that loses a reply sends its command again, and the store refuses the second one. */
  @Test
  void a_message_is_published_although_the_reply_to_its_reopening_was_lost() {
    settle(new Verdict.Dead("no such item"));
    AtomicBoolean lost = new AtomicBoolean();
    DedupStore resending = observed((verb, arguments) -> {
      Object answer = verb.invoke(store, arguments);
      boolean again = verb.getName().equals("resolve") && lost.compareAndSet(false, true);
      return again ? verb.invoke(store, arguments) : answer;
    });

    assertThat(redrive(resending, RedriveSettings.to("orders")).reopen(letter("a")))
        .isEqualTo(new Published());

    assertThat(lost).isTrue();
    assertThat(mark().state()).isEqualTo(MarkState.RETRY);
  }

  @Test
  void a_mark_that_changes_after_each_look_is_refused() {
    settle(new Verdict.Dead("no such item"));
    DedupStore moving = observed((verb, arguments) -> {
      if (verb.getName().equals("resolve")) {
        store.resolve(KEY, mark().claim().token(), mark().state(), Resolution.REOPEN);
      }
      return verb.invoke(store, arguments);
    });

    assertThat(redrive(moving, RedriveSettings.to("orders")).reopen(letter("a")))
        .isEqualTo(new Refused(Text.of("mark.changed")));
  }

  @Test
  void what_is_in_doubt_although_no_attempt_counts_stays_so() {
    Claim held = claim("a");
    Claim givenBack = new Claim(
        KEY,
        held.nonce(),
        held.token(),
        new Attempt(0, false, true, true),
        held.fingerprint(),
        held.origin());
    InMemoryDedupStore empty = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
    empty.settle(List.of(new Settlement(givenBack, new Verdict.Retry(Duration.ZERO, true))));

    assertThat(redrive(empty, RedriveSettings.to("orders")).reopen(letter("a")))
        .isEqualTo(new Published());

    Claim still = empty.find(List.of(KEY)).get(0).orElseThrow().claim();
    assertThat(still.attempt().inDoubt()).isTrue();
    assertThat(still.token()).isEqualTo(held.token());
  }

  @Test
  void the_mark_of_the_present_generation_counts() {
    settle(Verdict.Done.WITHOUT_RESULT);
    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(answer(letter("a"))).isEqualTo(new Published(true));
  }

  @Test
  void a_record_of_another_consumer_is_refused() {
    settle(new Verdict.Dead("no such item"));
    DeadLetterMetadata billings = note("billing", "a", DeadLetter.Kind.NOT_RETRYABLE.name());

    assertThat(answer(letter("a", billings)))
        .hasToString("Refused[why=it is a record of consumer billing, unmarked=false]");
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void what_died_of_a_conflict_does_not_reopen_the_mark_of_another_message() {
    settle(new Verdict.Dead("no such item"));

    assertThat(answer(letterOf(DeadLetter.Kind.CONFLICT)))
        .isInstanceOf(Refused.class)
        .extracting(RedriveResult::why)
        .asString()
        .contains("conflict");
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_conflict_record_is_published_after_reopening_for_any_payload() {
    StoredDeadLetter letter = letterOf(DeadLetter.Kind.CONFLICT);
    Claim forged = claim("a", new Fingerprint(13));
    settle(forged, Verdict.Done.WITHOUT_RESULT);
    assertThat(answer(letter)).isInstanceOf(Refused.class);
    store.resolve(KEY, forged.token(), MarkState.DONE, Resolution.REOPEN_ANY_PAYLOAD);

    assertThat(answer(letter)).isEqualTo(new Published());

    assertThat(mark().claim().fingerprint()).isEqualTo(Fingerprint.NONE);
    Claim genuine = claim("a", new Fingerprint(7));
    assertThat(answer(letter)).as("it runs").isInstanceOf(Refused.class);
    settle(genuine, Verdict.Done.WITHOUT_RESULT);
    store.resolve(KEY, genuine.token(), MarkState.DONE, Resolution.DONE_ANY_PAYLOAD);
    assertThat(answer(letter)).hasToString("NotDead[why=it is done]");
  }

  @Test
  void a_message_without_a_usable_id_is_refused() {
    StoredDeadLetter throwing = StoredDeadLetter.of(
        "dead-0@1",
        DIED.toEpochMilli(),
        NOTE,
        "a",
        it -> {
          throw new IllegalStateException("no such field");
        },
        Optional.empty());

    for (StoredDeadLetter letter :
        List.of(letter(" "), letter("a".repeat(MessageKey.MAX_ID_BYTES + 1)), throwing)) {
      assertThat(answer(letter)).hasToString("Refused[why=it has no usable id, unmarked=false]");
    }
  }

  @Test
  void a_flaw_is_a_reason_and_leaves_the_mark_as_it_is() {
    settle(new Verdict.Dead("no such item"));

    assertThat(answer(letter("a").withFlaw(Text.plain("it is cut"))))
        .hasToString("Refused[why=it is cut, unmarked=false]");
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  private RedriveReport run(DeadLetterSelection which, StoredDeadLetter... letters) {
    RedriveRun run = new RedriveRun(store, "orders", which, ACCEPTING, true);
    for (StoredDeadLetter letter : letters) {
      run.next(letter, () -> run.reopen(letter));
    }
    run.unreadable("dead-0@9", "too short");
    return run.report(List.of());
  }

  @Test
  void of_several_records_of_one_message_one_is_published() {
    settle(new Verdict.Dead("no such item"));

    RedriveReport report = run(DeadLetterSelection.all(), letter("a"), letter("a"), letter("b"));

    assertThat(report.records()).isEqualTo(4);
    assertThat(report.published()).isEqualTo(2);
    assertThat(report.notDead()).isEqualTo(1);
    assertThat(report.refused()).as("the one that cannot be read").isEqualTo(1);
    assertThat(report.complete()).isFalse();
    assertThat(report.toText().toString())
        .containsPattern("(?m)^  published +2$")
        .containsPattern("(?m)^without a mark +1  is it the consumer's store\\?$")
        .containsPattern("(?m)^oldest +3 d$")
        .contains(
            "  published: b at dead-0@1, 3 d old (ATTEMPTS_EXHAUSTED: no such item; may have taken"
                + " effect): there is no mark of it in this store\n")
        .contains(
            "  published: a at dead-0@1, 3 d old (ATTEMPTS_EXHAUSTED: no such item; may have taken"
                + " effect)\n")
        .contains("  refused: at dead-0@9: it cannot be read: too short\n");
  }

  @Test
  void only_selected_records_are_redriven_and_a_missing_one_is_reported() {
    RedriveReport report = run(
        DeadLetterSelection.of(List.of("b", "gone", "0x0102")),
        letter("a"),
        letter("b"),
        letter("\u0001\u0002"));

    assertThat(report.published()).isEqualTo(2);
    assertThat(report.samples().stream().map(it -> it.record().name()))
        .containsExactly("b", "0x0102");
    assertThat(report.missing()).containsExactly("gone");
    assertThat(report.complete()).isFalse();
    assertThat(report.toText().toString()).contains("  no record: gone\n");
  }

  @Test
  void a_record_without_a_readable_id_is_known_by_the_id_in_its_metadata() {
    RedriveReport report = run(DeadLetterSelection.of(List.of("a")), letter(" ", NOTE));

    assertThat(report.refused()).isEqualTo(1);
    assertThat(report.missing()).isEmpty();
  }

  @Test
  void the_content_of_a_record_forges_no_line_of_the_report() {
    DeadLetterMetadata hostile = new DeadLetterMetadata(
        "", "a", 3, "NOT_RETRYABLE", "no price\nWITHOUT A RECORD  0\u001b[2J\u202e", false, "", "");

    RedriveReport report = run(DeadLetterSelection.of(List.of("a")), letter("a", hostile));

    assertThat(report.toText().toString())
        .contains("(NOT_RETRYABLE: no price WITHOUT A RECORD  0 [2J )")
        .doesNotContainPattern("(?m)^WITHOUT A RECORD  0");
  }

  @Test
  void a_report_shows_the_age_of_each_record_and_of_the_oldest() {
    StoredDeadLetter young = letter("a", NOTE, now.plus(Duration.ofHours(1)).toEpochMilli());
    StoredDeadLetter timeless = letter("a", NOTE, -1);

    RedriveReport report = run(DeadLetterSelection.of(List.of("a")), young, letter("a"), timeless);

    assertThat(report.samples())
        .extracting(sample -> sample.age().map(Duration::toHours))
        .containsExactly(Optional.of(0L), Optional.of(74L), Optional.empty());
    assertThat(report.samples().get(0).age()).contains(Duration.ZERO);
    assertThat(report.oldest().map(Duration::toHours)).contains(74L);
  }

  @Test
  void an_empty_selection_is_refused() {
    assertThatThrownBy(() -> DeadLetterSelection.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DeadLetterSelection.of(List.of("a", " ")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The first message died, another one with its id and another payload was refused behind it. */
  @Test
  void a_conflict_record_behind_another_of_its_id_is_refused() {
    Claim first = claim("a", new Fingerprint(13));
    settle(first, new Verdict.Dead("why"));
    store.resolve(KEY, first.token(), MarkState.DEAD, Resolution.REOPEN_ANY_PAYLOAD);
    StoredDeadLetter died = letterOf(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
    StoredDeadLetter conflict = letterOf(DeadLetter.Kind.CONFLICT);

    DeadLetterSelection a = DeadLetterSelection.of(List.of("a"));
    for (RedriveReport report : List.of(run(a, died, conflict), run(a, conflict, died))) {
      assertThat(report.published()).isEqualTo(1);
      assertThat(report.refused()).as(report.toText().toString()).isEqualTo(1);
      assertThat(report.complete()).isFalse();
      assertThat(report.toText().toString())
          .contains("it may have another payload and did not run");
    }
  }

  @Test
  void a_run_is_followed_and_stopped_between_two_records() {
    settle(new Verdict.Dead("no such item"));
    List<String> taken = new ArrayList<>();
    RedriveControl control = new RedriveControl() {
      @Override
      public boolean mayTake(StoredDeadLetter record) {
        return !record.name().equals("b");
      }

      @Override
      public void taken(RedriveSample sample) {
        taken.add(sample.record().name());
      }
    };
    RedriveSettings settings = RedriveSettings.to("orders").controlledBy(control);
    RedriveRun run = redrive(store, settings.acceptingUnmarked());
    for (String id : List.of("a", "b", "c")) {
      run.next(letter(id), () -> run.reopen(letter(id)));
    }
    run.unreadable("dead-0@9", "it is no record");

    assertThat(taken).containsExactly("a");
    RedriveReport report = run.report(List.of());
    assertThat(report.published()).isEqualTo(1);
    assertThat(report.refused()).isZero();
    assertThat(report.records()).as("all were read").isEqualTo(4);
    assertThat(mark().state()).isEqualTo(MarkState.RETRY);
  }
}
