package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Mark;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A verb on marks in every state. The store runs it, possibly with a lost command, and two models
 * run it without: one receives the verb once, the other twice. For each message, the store may
 * answer like either model after a loss; the marks must be those of the models.
 */
final class MarkCase {

  private final StoreFixture fixture;
  private final MarkVerb verb;
  private final MarkVerb.Marks marks;
  private final ModelComparison comparison;
  private final Subject real;
  private final Subject once;
  private final Subject twice;
  private Instant now;

  /** Creates marks in all states in a new scope, and moves the store's clock. */
  MarkCase(StoreFixture fixture, MarkVerb verb) {
    Bench bench = Bench.on(fixture);
    this.fixture = fixture;
    this.verb = verb;
    this.comparison = new ModelComparison(fixture::keptWhenDone);
    this.marks = new MarkVerb.Marks(bench);
    this.now = bench.storeTime();
    this.real = new Subject(fixture.store());
    this.once = new Subject(new InMemoryDedupStore(() -> now, fixture.retention()));
    this.twice = new Subject(new InMemoryDedupStore(() -> now, fixture.retention()));
    prepare();
  }

  private void prepare() {
    Instant begin = now;
    Duration over = Bench.LEASE.plusSeconds(1);
    marks.prepare(real, () -> fixture.advance(over));
    for (Subject model : List.of(once, twice)) {
      now = begin;
      marks.prepare(model, () -> now = begin.plus(over));
    }
    marks.compare(comparison, real, once);
    if (verb == MarkVerb.PURGE) {
      fixture.advance(fixture.retention().plusSeconds(1));
      now = now.plus(fixture.retention()).plusSeconds(1);
    }
  }

  List<?> send(DedupStore store) {
    return verb.send(store, real, marks);
  }

  /** Checks that each answer and each mark is that of the model. */
  void assertAsModel(List<?> answers) {
    List<?> expected = verb.send(once.store(), once, marks);
    assertThat(comparison.comparable(answers, expected)).isEqualTo(expected);
    assertMarksOfModel(verb.name());
  }

  /** Checks that each answer is that of one of the models, and that the marks are equal. */
  void assertAsIfNothingHadHappened(List<?> answers, String when) {
    List<?> first = verb.send(once.store(), once, marks);
    verb.send(twice.store(), twice, marks);
    List<?> second = verb.send(twice.store(), twice, marks);
    assertThat(answers).as(when).hasSameSizeAs(first);
    for (int i = 0; i < answers.size(); i++) {
      if (!comparison.comparable(answers.get(i), second.get(i)).equals(second.get(i))) {
        assertThat(comparison.comparable(answers.get(i), first.get(i)))
            .as("%s, answer %s", when, i)
            .isEqualTo(first.get(i));
      }
    }
    assertMarks(when);
  }

  void assertMarks(String when) {
    assertThat(twice.store().find(marks.keys()))
        .as("the machine itself")
        .isEqualTo(once.store().find(marks.keys()));
    assertMarksOfModel(when);
  }

  private void assertMarksOfModel(String when) {
    List<Optional<Mark>> expected = once.store().find(marks.keys());
    if (verb == MarkVerb.PURGE) {
      purgeWhatWasPassedBy(expected);
    }
    List<Optional<Mark>> actual = fixture.store().find(marks.keys());
    assertThat(comparison.comparable(actual, expected)).as(when).isEqualTo(expected);
  }

  /** Purges again: a purge may skip a mark that a lost transaction still locks. */
  private void purgeWhatWasPassedBy(List<Optional<Mark>> expected) {
    long stay = expected.stream().filter(Optional::isPresent).count();
    new RetryingCaller(Duration.ofSeconds(30)).untilTrue(() -> {
      fixture.store().purge(1000);
      return fixture.store().find(marks.keys()).stream()
              .filter(Optional::isPresent)
              .count()
          <= stay;
    });
  }
}
