package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.RenewAnswer;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One story with a loss in it, told to the store, and to two models without a loss: one that got
 * the verb once, and one that got it twice. The store may say of each message what either says;
 * their marks are the same.
 */
final class LossyCase {

  private final StoreFixture fixture;
  private final LossyVerb verb;
  private final LossyVerb.Marks marks;
  private final ModelComparison alike;
  private final Subject real;
  private final Subject once;
  private final Subject twice;
  private Instant now;

  /** Brings marks of a new scope into all their states, and moves the store's clock. */
  LossyCase(StoreFixture fixture, LossyVerb verb) {
    Bench bench = new Bench(fixture);
    this.fixture = fixture;
    this.verb = verb;
    this.alike = new ModelComparison(fixture::keptWhenDone);
    this.marks = new LossyVerb.Marks(bench);
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
    marks.compare(alike, real, once);
    if (verb == LossyVerb.PURGE) {
      fixture.advance(fixture.retention().plusSeconds(1));
      now = now.plus(fixture.retention()).plusSeconds(1);
    }
  }

  List<?> send(DedupStore store) {
    return verb.send(store, real, marks);
  }

  /** Whether the store says of each message what one of the models says, and keeps the same. */
  void assertAsIfNothingHadHappened(List<?> answers, String when) {
    List<?> first = verb.send(once.store(), once, marks);
    verb.send(twice.store(), twice, marks);
    List<?> second = verb.send(twice.store(), twice, marks);
    assertThat(answers).as(when).hasSameSizeAs(first);
    for (int i = 0; i < answers.size(); i++) {
      if (!comparable(answers.get(i), second.get(i)).equals(second.get(i))) {
        assertThat(comparable(answers.get(i), first.get(i)))
            .as("%s, answer %s", when, i)
            .isEqualTo(first.get(i));
      }
    }
    assertMarks(when);
  }

  void assertMarks(String when) {
    List<Optional<Mark>> expected = once.store().find(marks.keys());
    List<Optional<Mark>> after = twice.store().find(marks.keys());
    assertThat(after).as("the machine itself").isEqualTo(expected);
    if (verb == LossyVerb.PURGE) {
      purgeWhatWasPassedBy(expected);
    }
    List<Optional<Mark>> actual = fixture.store().find(marks.keys());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(alike.mark(actual.get(i), expected.get(i)))
          .as("%s, the mark of %s", when, marks.keys().get(i))
          .isEqualTo(expected.get(i));
    }
  }

  /** A purge may pass by what a transaction that was lost still holds; the next one removes it. */
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

  private Object comparable(Object real, Object model) {
    if (real instanceof ClaimAnswer answer && model instanceof ClaimAnswer expected) {
      return alike.answer(answer, expected);
    } else if (real instanceof RenewAnswer answer && model instanceof RenewAnswer expected) {
      return alike.answer(answer, expected);
    } else if (real instanceof Optional<?> found && model instanceof Optional<?> expected) {
      return alike.mark(found.map(Mark.class::cast), expected.map(Mark.class::cast));
    }
    return real;
  }
}
