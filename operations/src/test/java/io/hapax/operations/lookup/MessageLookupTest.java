package io.hapax.operations.lookup;

import static io.hapax.operations.lookup.Repair.DONE;
import static io.hapax.operations.lookup.Repair.REDELIVER;
import static io.hapax.operations.lookup.Repair.REDRIVE;
import static io.hapax.operations.lookup.Repair.REOPEN;
import static io.hapax.operations.lookup.Repair.REOPEN_ANY_PAYLOAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import io.hapax.mark.Verdict.Dead;
import io.hapax.mark.Verdict.Retry;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.lookup.MessageSources.DeadLetters;
import io.hapax.operations.lookup.MessageSources.LoggedAction;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.FoundMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is said of a message, and what is recommended. */
class MessageLookupTest extends MarkFixture implements MessageSources {

  private final List<RedriveSample> records = new ArrayList<>();
  private final List<LoggedAction> log = new ArrayList<>();
  private final Map<String, Long> committed = new HashMap<>();
  private Optional<List<FoundMessage>> found = Optional.empty();
  private Runnable meanwhile = () -> {};
  private boolean complete = true;
  private Duration age = Duration.ZERO;

  @Override
  public DeadLetters letters(Bytes id, Optional<Mark> mark) {
    return new DeadLetters("orders.dead", records, complete, Text.NONE);
  }

  @Override
  public List<LoggedAction> actions(String id) {
    return log;
  }

  @Override
  public Optional<TopicSearch> search(Bytes id) {
    meanwhile.run();
    return found.map(it -> new TopicSearch(now.minus(age), "orders", it, Optional.of(committed)));
  }

  @Override
  public OptionalLong lag() {
    return OptionalLong.of(3);
  }

  @Override
  public boolean canPublish() {
    return true;
  }

  @Override
  public boolean canDeadLetter() {
    return true;
  }

  private List<MessageAnswer> answers(String typed) throws Exception {
    return new MessageLookup(store, "orders", this).of(typed);
  }

  private MessageAnswer answer() throws Exception {
    List<MessageAnswer> answers = answers("a");
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private void assertAnswer(MessageVerdict verdict, Repair... recommended) throws Exception {
    assertThat(answer().verdict()).isEqualTo(verdict);
    assertThat(answer().recommended()).containsExactly(recommended);
  }

  private void later(Duration time) {
    now = now.plus(time);
  }

  private void dies(Kind kind, RedriveResult answer) {
    later(Duration.ofSeconds(1));
    StoredDeadLetter record = new StoredDeadLetter(
        "orders.dead-0@" + records.size(),
        Optional.of(now),
        new DeadLetterMetadata("orders", "a", 2, kind.name(), "no price", false, "orders-0@7", ""),
        Optional.of(Bytes.utf8("a")),
        Optional.empty());
    records.add(new RedriveSample(record, Optional.empty(), answer));
    later(Duration.ofSeconds(1));
  }

  private void acts(String action, String result) {
    later(Duration.ofSeconds(1));
    log.add(new LoggedAction(now, "ann", action, Text.plain(result)));
  }

  @Test
  void a_message_in_progress_is_left_alone_until_its_lease_or_its_time_is_over() throws Exception {
    settle(new Retry(LEASE, false));
    assertAnswer(MessageVerdict.RETRY);
    later(LEASE.plusSeconds(30));
    assertAnswer(MessageVerdict.RETRY);
    later(Duration.ofMinutes(1));
    assertAnswer(MessageVerdict.OVERDUE, REDELIVER);

    claim("a");
    assertAnswer(MessageVerdict.RUNNING);
    assertThat(answer().others()).containsExactly(REOPEN, DONE);
    later(LEASE);
    assertAnswer(MessageVerdict.STALE, REDELIVER);
    assertThat(answer().who()).isEqualTo("host-17");
  }

  @Test
  void a_message_in_doubt_is_to_be_decided_on() throws Exception {
    settle(new Retry(Duration.ofSeconds(1), true));

    assertAnswer(MessageVerdict.IN_DOUBT, DONE, REOPEN);
  }

  @Test
  void a_dead_message_is_redriven_if_it_has_a_record() throws Exception {
    settle(new Dead("no price"));
    assertAnswer(MessageVerdict.DEAD_RECORD_UNKNOWN);
    later(Duration.ofMinutes(2));
    assertAnswer(MessageVerdict.DEAD_WITHOUT_RECORD, REOPEN);
    complete = false;
    assertAnswer(MessageVerdict.DEAD_RECORD_UNKNOWN);
    dies(Kind.NOT_RETRYABLE, new RedriveResult.Published());
    assertAnswer(MessageVerdict.DEAD, REDRIVE);
    assertThat(answer().events())
        .extracting(event -> event.source() + " " + event.kind())
        .containsExactly("MARK claimed", "MARK dead", "DEAD_LETTERS dead-letter");
  }

  @Test
  void what_was_published_again_is_not_to_be_published_once_more() throws Exception {
    settle(new Dead("no price"));
    dies(Kind.NOT_RETRYABLE, new RedriveResult.Published());
    new MarkOperations(store, "orders").resolve("a", new Resolution(Resolution.Kind.REOPEN, false));
    assertAnswer(MessageVerdict.REOPENED, REDRIVE);
    for (String result : List.of(
        LoggedAction.BEGINS,
        LoggedAction.REFUSED + "no",
        LoggedAction.FAILED + "no",
        "job 1 STOPPED, 0 published",
        "job 1 FAILED, 0 changed: the broker is down")) {
      acts("redrive", result);
      assertAnswer(MessageVerdict.REOPENED, REDRIVE);
    }

    acts("redrive", "job 2 ENDED, 1 published");
    assertAnswer(MessageVerdict.PUBLISHED_AGAIN);
    assertThat(answer().who()).isEqualTo("ann");
    assertThat(answer().lag()).hasValue(3);

    dies(Kind.NOT_RETRYABLE, new RedriveResult.Published());
    assertAnswer(MessageVerdict.REOPENED, REDRIVE);
  }

  @Test
  void a_claim_after_a_job_has_begun_is_not_hidden_by_its_end() throws Exception {
    settle(new Dead("no price"));
    new MarkOperations(store, "orders").resolve("a", new Resolution(Resolution.Kind.REOPEN, false));
    acts("redrive", LoggedAction.BEGINS);
    later(Duration.ofSeconds(1));
    claim("a");
    later(LEASE);
    log.add(new LoggedAction(now, "bob", "redrive", Text.plain(LoggedAction.BEGINS)));
    acts("redrive", "job 1 ENDED, 1 published");
    assertAnswer(MessageVerdict.STALE, REDELIVER);

    settle(new Retry(Duration.ofSeconds(1), true));
    acts("redeliver", "a was published again");
    assertAnswer(MessageVerdict.IN_DOUBT, DONE, REOPEN);
  }

  @Test
  void the_beginning_of_an_action_that_has_ended_is_left_out() throws Exception {
    acts("redrive", LoggedAction.BEGINS);
    assertThat(answer().events()).hasSize(1);
    acts("redrive", "job 1 ENDED, 1 published");

    assertThat(answer().events())
        .extracting(it -> it.detail().toString())
        .containsExactly("job 1 ENDED, 1 published");
  }

  @Test
  void a_second_payload_is_open_until_it_was_let_run() throws Exception {
    settle(Verdict.Done.WITHOUT_RESULT);
    assertAnswer(MessageVerdict.DONE);
    dies(Kind.CONFLICT, new RedriveResult.Refused(Text.of("record.conflict")));
    assertAnswer(MessageVerdict.CONFLICT, REOPEN_ANY_PAYLOAD);

    new MarkOperations(store, "orders")
        .resolve("a", new Resolution(Resolution.Kind.REOPEN_ANY_PAYLOAD, false));
    records.set(
        0,
        new RedriveSample(
            records.get(0).record(), Optional.empty(), new RedriveResult.Published()));
    assertAnswer(MessageVerdict.REOPENED, REDRIVE);
    settle(Verdict.Done.WITHOUT_RESULT);
    assertAnswer(MessageVerdict.DONE);
  }

  @Test
  void a_second_payload_is_open_although_the_first_was_tried_again_since() throws Exception {
    settle(new Retry(Duration.ofSeconds(1), false));
    dies(Kind.CONFLICT, new RedriveResult.Refused(Text.plain("it died of a conflict")));
    settle(Verdict.Done.WITHOUT_RESULT);

    assertAnswer(MessageVerdict.CONFLICT, REOPEN_ANY_PAYLOAD);
  }

  @Test
  void a_second_payload_that_was_published_and_needed_two_attempts_has_run() throws Exception {
    dies(Kind.CONFLICT, new RedriveResult.Refused(Text.of("record.conflict")));
    acts("redrive", "job 1 ENDED, 1 published");
    settle(new Retry(Duration.ofSeconds(1), false));
    later(Duration.ofSeconds(2));
    settle(Verdict.Done.WITHOUT_RESULT);

    assertAnswer(MessageVerdict.DONE);
  }

  @Test
  void a_second_payload_is_open_although_the_first_was_redelivered_since() throws Exception {
    dies(Kind.CONFLICT, new RedriveResult.Refused(Text.of("record.conflict")));
    acts("redeliver", "a was published again");
    settle(new Retry(Duration.ofSeconds(1), false));
    later(Duration.ofSeconds(2));
    settle(Verdict.Done.WITHOUT_RESULT);

    assertAnswer(MessageVerdict.CONFLICT, REOPEN_ANY_PAYLOAD);
  }

  @Test
  void a_second_payload_is_open_although_a_record_was_published_before_it_came() throws Exception {
    acts("redrive", "job 1 ENDED, 1 published");
    dies(Kind.CONFLICT, new RedriveResult.Refused(Text.of("record.conflict")));
    settle(new Retry(Duration.ofSeconds(1), false));
    later(Duration.ofSeconds(2));
    settle(Verdict.Done.WITHOUT_RESULT);

    assertAnswer(MessageVerdict.CONFLICT, REOPEN_ANY_PAYLOAD);
  }

  @Test
  void a_message_without_a_mark_is_judged_by_its_records_the_topic_and_the_generation_before()
      throws Exception {
    assertAnswer(MessageVerdict.NO_MARK);
    found = Optional.of(List.of());
    assertAnswer(MessageVerdict.NOT_IN_TOPIC);
    found = Optional.of(
        List.of(new FoundMessage("orders-0", 4, now), new FoundMessage("orders-0", 9, now)));
    assertAnswer(MessageVerdict.IN_TOPIC);
    committed.put("orders-0", 10L);
    assertAnswer(MessageVerdict.ACKNOWLEDGED);
    age = Duration.ofMinutes(5);
    assertAnswer(MessageVerdict.NO_MARK);
    age = Duration.ZERO;
    assertThat(answer().where()).isEqualTo("orders-0@4");
    committed.put("orders-0", 9L);
    assertAnswer(MessageVerdict.WAITS_IN_TOPIC);
    assertThat(answer().where()).isEqualTo("orders-0@9");
    dies(Kind.TOO_OLD, new RedriveResult.Refused(Text.of("mark.none"), true));
    assertAnswer(MessageVerdict.RECORD_WITHOUT_MARK, REDRIVE);
  }

  @Test
  void a_message_that_is_claimed_while_its_topic_is_searched_has_a_mark() throws Exception {
    found = Optional.of(List.of(new FoundMessage("orders-0", 4, now)));
    meanwhile = () -> claim("a");

    assertThat(answer().verdict()).isEqualTo(MessageVerdict.RUNNING);
  }

  @Test
  void the_generation_before_is_no_mark_but_is_named() throws Exception {
    settle(Verdict.Done.WITHOUT_RESULT);
    Generations.advance(store, "orders", 0);

    assertAnswer(MessageVerdict.EARLIER_GENERATION);
    assertThat(answer().mark()).isEmpty();
    assertThat(answer().scope()).isEqualTo("orders#1");
    assertThat(answer().events())
        .extracting(MessageEvent::source)
        .containsOnly(MessageEvent.Source.EARLIER_MARK);
  }

  @Test
  void the_results_that_decide_are_those_of_earlier_action_logs() {
    assertThat(List.of(LoggedAction.BEGINS, LoggedAction.REFUSED, LoggedAction.FAILED))
        .containsExactly("begins", "refused: ", "failed: ");
  }

  @Test
  void an_id_is_found_as_it_was_typed_as_bytes_and_without_blanks() throws Exception {
    claim("a");
    claim(" a");
    assertThat(answers(" a")).extracting(MessageAnswer::name).containsExactly("0x2061", "a");
    assertThat(answers("0x2061")).extracting(MessageAnswer::name).containsExactly("0x2061");
    assertThat(answers("0x62")).extracting(MessageAnswer::name).containsExactly("b");
    claim("0x61");
    assertThat(answers("0x61")).extracting(MessageAnswer::name).containsExactly("0x30783631", "a");
    assertThat(answers("b ")).extracting(MessageAnswer::name).containsExactly("0x6220", "b");
  }
}
