package io.hapax.operations.lookup;

import static io.hapax.operations.lookup.Repair.DEAD_LETTER;
import static io.hapax.operations.lookup.Repair.DONE;
import static io.hapax.operations.lookup.Repair.FORGET;
import static io.hapax.operations.lookup.Repair.REDELIVER;
import static io.hapax.operations.lookup.Repair.REDRIVE;
import static io.hapax.operations.lookup.Repair.REOPEN;
import static io.hapax.operations.lookup.Repair.REOPEN_ANY_PAYLOAD;

import io.hapax.DeadLetter;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.operations.lookup.MessageSources.LoggedAction;
import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides what happened to a message. It asks the sources for the lag only if that matters.
 *
 * @param since the time since which each message that a consumer has claimed has a mark
 */
record Judge(Evidence evidence, Instant since, MessageSources sources) {

  /** How long a message may be due before an operator should look: consumers poll for it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  /** How long a search of the topic counts: the group moves on, and messages are sent. */
  private static final Duration FRESH = Duration.ofMinutes(5);

  /** The verdict, with what it is about. */
  private record Finding(MessageVerdict verdict, Optional<Instant> at, String where, String who) {

    static Finding of(MessageVerdict verdict, Instant at) {
      return new Finding(verdict, Optional.of(at), "", "");
    }

    Finding at(String place) {
      return new Finding(verdict, at, place, who);
    }

    Finding by(String name) {
      return new Finding(verdict, at, where, name);
    }
  }

  MessageAnswer answer(Bytes id, String scope) throws Exception {
    Finding finding = finding();
    Set<Repair> possible = possible();
    List<Repair> recommended =
        recommended(finding.verdict()).stream().filter(possible::contains).toList();
    List<Repair> others =
        possible.stream().filter(it -> !recommended.contains(it)).toList();
    boolean waits = evidence.mark().isEmpty()
        || finding.verdict() == MessageVerdict.PUBLISHED_AGAIN
        || finding.verdict() == MessageVerdict.REOPENED;
    return new MessageAnswer(
        id,
        scope,
        finding.verdict(),
        finding.at(),
        finding.where(),
        finding.who(),
        evidence.mark(),
        evidence.letters(),
        waits ? sources.lag() : OptionalLong.empty(),
        evidence.events(),
        recommended,
        others);
  }

  private Finding finding() {
    if (evidence.mark().isEmpty()) {
      return publishedAgain(since).orElseGet(this::withoutMark);
    }
    Mark found = evidence.mark().get();
    Finding at = Finding.of(MessageVerdict.RUNNING, found.until());
    return switch (found.state()) {
      case DONE -> conflict(found).orElse(Finding.of(MessageVerdict.DONE, found.until()));
      case DEAD -> dead(found);
      case PROCESSING, RETRY, ABSENT ->
        found.leasedAt(evidence.now())
            ? at.by(found.claim().origin().owner())
            : Optional.of(found.claimedAt())
                .filter(it -> !found.claim().attempt().inDoubt())
                .flatMap(this::publishedAgain)
                .orElseGet(() -> open(found));
    };
  }

  private Finding withoutMark() {
    Optional<StoredDeadLetter> record = last();
    if (record.isPresent()) {
      return new Finding(
          MessageVerdict.RECORD_WITHOUT_MARK,
          record.get().diedAt(),
          record.get().coordinates(),
          "");
    }
    Optional<TopicSearch> fresh =
        evidence.search().filter(it -> it.at().plus(FRESH).isAfter(evidence.now()));
    if (fresh.isPresent()) {
      return inTopic(fresh.get());
    }
    return evidence
        .earlier()
        .map(it -> Finding.of(MessageVerdict.EARLIER_GENERATION, it.until()))
        .orElseGet(() -> new Finding(MessageVerdict.NO_MARK, Optional.empty(), "", ""));
  }

  /** Judges by the message that waits; without one, by the first. */
  private static Finding inTopic(TopicSearch search) {
    return search.messages().stream()
        .map(it -> Finding.of(
                search
                    .acknowledged(it)
                    .map(passed ->
                        passed ? MessageVerdict.ACKNOWLEDGED : MessageVerdict.WAITS_IN_TOPIC)
                    .orElse(MessageVerdict.IN_TOPIC),
                it.sentAt())
            .at(it.coordinates()))
        .min(Comparator.comparing(it -> it.verdict() == MessageVerdict.ACKNOWLEDGED))
        .orElseGet(() -> Finding.of(MessageVerdict.NOT_IN_TOPIC, search.at()));
  }

  /**
   * Finds a second payload. A first attempt that is younger than its record is the end of the
   * conflict: an operator has let the second payload run. A later attempt may be one of the first
   * payload, which had failed or lost its consumer before, unless a record was redriven since.
   */
  private Optional<Finding> conflict(Mark done) {
    return evidence.letters().records().stream()
        .map(RedriveSample::record)
        .filter(it -> it.metadata().kind().equals(DeadLetter.Kind.CONFLICT.name()))
        .filter(it -> it.diedAt().filter(died -> ended(done, died)).isEmpty())
        .reduce((first, second) -> second)
        .map(it -> Finding.of(MessageVerdict.CONFLICT, done.until()).at(it.coordinates()));
  }

  private boolean ended(Mark done, Instant conflict) {
    Instant claimed = done.claimedAt();
    return claimed.isAfter(conflict)
        && (done.claim().attempt().number() <= 1
            || evidence.actions().stream()
                .filter(it -> it.action().equals("redrive") && it.hasPublished())
                .map(this::begun)
                .anyMatch(it -> !it.isBefore(conflict) && it.isBefore(claimed)));
  }

  private Finding dead(Mark found) {
    Optional<StoredDeadLetter> record = last();
    if (record.isEmpty()) {
      // a record that was written just now may not have been read
      boolean none =
          evidence.letters().complete() && evidence.now().isAfter(found.until().plus(GRACE));
      return Finding.of(
          none ? MessageVerdict.DEAD_WITHOUT_RECORD : MessageVerdict.DEAD_RECORD_UNKNOWN,
          found.until());
    }
    boolean doubt = found.claim().attempt().inDoubt() || record.get().metadata().inDoubt();
    return Finding.of(doubt ? MessageVerdict.DEAD_IN_DOUBT : MessageVerdict.DEAD, found.until())
        .at(record.get().coordinates());
  }

  /** Returns whether a message was published after its failure, and no consumer has claimed it. */
  private Optional<Finding> publishedAgain(Instant from) {
    Optional<Instant> died = last().flatMap(StoredDeadLetter::diedAt);
    return evidence.actions().stream()
        .filter(LoggedAction::hasPublished)
        .filter(
            it -> !begun(it).isBefore(from) && died.filter(begun(it)::isBefore).isEmpty())
        .reduce((first, second) -> second)
        .map(it -> Finding.of(MessageVerdict.PUBLISHED_AGAIN, it.at()).by(it.user()));
  }

  /** Returns when an action began: a job ends long after it has published its first message. */
  private Instant begun(LoggedAction ended) {
    return evidence.actions().stream()
        .filter(LoggedAction::begins)
        .filter(it -> it.action().equals(ended.action()) && it.user().equals(ended.user()))
        .map(LoggedAction::at)
        .filter(it -> !it.isAfter(ended.at()))
        .reduce((first, second) -> second)
        .orElse(ended.at());
  }

  private Finding open(Mark found) {
    boolean unstarted = found.claim().attempt().number() == 0;
    if (found.claim().attempt().inDoubt()) {
      return Finding.of(MessageVerdict.IN_DOUBT, found.claimedAt());
    } else if (found.state() == MarkState.PROCESSING) {
      return Finding.of(MessageVerdict.STALE, found.until())
          .by(found.claim().origin().owner());
    } else if (unstarted) {
      return Finding.of(MessageVerdict.REOPENED, found.until());
    }
    return Finding.of(
        evidence.now().isAfter(found.until().plus(GRACE))
            ? MessageVerdict.OVERDUE
            : MessageVerdict.RETRY,
        found.until());
  }

  /** Returns the newest record: records of several partitions are not in the order of time. */
  private Optional<StoredDeadLetter> last() {
    return evidence.letters().records().stream()
        .map(RedriveSample::record)
        .max(Comparator.comparing(it -> it.diedAt().orElse(Instant.MIN)));
  }

  private boolean canRedrive() {
    return sources.canPublish()
        && evidence.letters().records().stream().anyMatch(it -> !(it.answer() instanceof NotDead));
  }

  private Set<Repair> possible() {
    Set<Repair> possible = new LinkedHashSet<>();
    Optional<Mark> mark = evidence.mark();
    boolean leased = mark.filter(it -> it.leasedAt(evidence.now())).isPresent();
    if (mark.filter(it -> it.state() == MarkState.DONE).isPresent()) {
      if (conflict(mark.get()).isPresent()) {
        possible.add(REOPEN_ANY_PAYLOAD);
      }
      if (!mark.get().detail().equals(Bytes.EMPTY)) {
        possible.add(FORGET);
      }
      return possible;
    }
    if (!leased && canRedrive()) {
      possible.add(REDRIVE);
    }
    if (mark.isPresent()) {
      boolean open = !leased && mark.get().state() != MarkState.DEAD;
      if (open && sources.canPublish()) {
        possible.add(REDELIVER);
      }
      possible.add(REOPEN);
      possible.add(DONE);
      if (open && sources.canDeadLetter()) {
        possible.add(DEAD_LETTER);
      }
    }
    return possible;
  }

  private List<Repair> recommended(MessageVerdict verdict) {
    return switch (verdict) {
      case DONE, RUNNING, RETRY, PUBLISHED_AGAIN, DEAD_RECORD_UNKNOWN -> List.of();
      case EARLIER_GENERATION, NO_MARK, NOT_IN_TOPIC -> List.of();
      case IN_TOPIC, WAITS_IN_TOPIC, ACKNOWLEDGED -> List.of();
      case CONFLICT -> List.of(REOPEN_ANY_PAYLOAD);
      case OVERDUE, STALE -> List.of(REDELIVER);
      case IN_DOUBT -> List.of(DONE, REOPEN);
      case DEAD_IN_DOUBT -> List.of(DONE, REDRIVE);
      case DEAD -> List.of(REDRIVE);
      case RECORD_WITHOUT_MARK -> evidence.earlier().isEmpty() ? List.of(REDRIVE) : List.of();
      case DEAD_WITHOUT_RECORD -> List.of(REOPEN);
      case REOPENED -> isPublishable() ? List.of(REDRIVE) : List.of(REDELIVER);
    };
  }

  private boolean isPublishable() {
    return evidence.letters().records().stream().anyMatch(it -> it.answer() instanceof Published);
  }
}
