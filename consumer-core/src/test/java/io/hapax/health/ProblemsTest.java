package io.hapax.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.health.Problem.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsTest {

  private Instant now = Instant.EPOCH;
  private final Problems problems = new Problems(() -> now);

  private void later() {
    now = now.plus(Duration.ofMinutes(1));
  }

  private static Problems.Found waiting(String subject, String text) {
    return new Problems.Found(Kind.PARTITION_WAITING, subject, text);
  }

  @Test
  void a_problem_keeps_its_beginning_and_takes_the_newest_text() {
    assertThat(problems.raise(Kind.STORE, "", "refused")).isTrue();
    later();
    assertThat(problems.raise(Kind.STORE, "", "timed out")).isFalse();

    assertThat(problems.list())
        .containsExactly(new Problem(Kind.STORE, "", Instant.EPOCH, "timed out"));
  }

  @Test
  void a_problem_that_was_cleared_begins_anew() {
    problems.raise(Kind.STORE, "", "refused");
    assertThat(problems.clear(Kind.STORE, "")).isTrue();
    assertThat(problems.clear(Kind.STORE, "")).isFalse();
    later();
    problems.raise(Kind.STORE, "", "refused");

    assertThat(problems.list()).extracting(Problem::since).containsExactly(now);
  }

  @Test
  void a_problem_that_is_found_again_keeps_its_beginning() {
    problems.replaceAll(List.of(waiting("a-0", "busy"), waiting("a-1", "busy")));
    later();
    problems.replaceAll(List.of(waiting("a-1", "failed"), waiting("a-2", "busy")));

    assertThat(problems.list())
        .containsExactly(
            new Problem(Kind.PARTITION_WAITING, "a-1", Instant.EPOCH, "failed"),
            new Problem(Kind.PARTITION_WAITING, "a-2", now, "busy"));
  }

  @Test
  void problems_of_one_subject_are_distinguished_by_their_id() {
    problems.raise(Kind.MESSAGE_BLOCKED, "id1", "a-0@1", "no dead letters");
    problems.raise(Kind.MESSAGE_BLOCKED, "id2", "a-0@1", "no dead letters");
    problems.clear(Kind.MESSAGE_BLOCKED, "id1");

    assertThat(problems.has(Kind.MESSAGE_BLOCKED, "id2")).isTrue();
    assertThat(problems.list()).extracting(Problem::subject).containsExactly("a-0@1");
  }

  @Test
  void a_long_list_is_cut_and_hides_no_kind_behind_single_messages() {
    for (int i = 0; i < Problems.LIMIT + 10; i++) {
      problems.raise(Kind.MESSAGE_BLOCKED, "a-0@" + i, "no dead letters");
    }
    later();
    problems.raise(Kind.STORE, "", "refused");

    assertThat(problems.list())
        .hasSize(Problems.LIMIT + 1)
        .first()
        .extracting(Problem::kind)
        .isEqualTo(Kind.STORE);
    assertThat(problems.list())
        .last()
        .isEqualTo(new Problem(
            Kind.MESSAGE_BLOCKED, "", Instant.EPOCH, "and 11 more, which the log names"));
  }
}
