package io.hapax.console.data;

import io.hapax.console.action.ActionLog;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.FailureTexts;
import io.hapax.console.view.ActionRow;
import io.hapax.console.view.IdView;
import io.hapax.console.view.IdView.HistoryRow;
import io.hapax.console.view.MarkRow;
import io.hapax.errors.AuditFailedException;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.operations.Broker;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects what is known about one message id. */
public final class OneId {

  private final Deployment deployment;
  private final Marks marks;
  private final Letters letters;
  private final Optional<ActionLog> log;

  public OneId(Deployment deployment, Marks marks, Letters letters, Optional<ActionLog> log) {
    this.deployment = deployment;
    this.marks = marks;
    this.letters = letters;
    this.log = log;
  }

  /** Returns the known facts about an id, which is empty if the page has no id yet. */
  public IdView view(String id) throws Exception {
    String scope = Generations.scope(deployment.store(), deployment.consumer());
    if (id.isEmpty()) {
      return new IdView(
          "", Optional.empty(), List.of(), Optional.empty(), "", false, "", scope, List.of());
    }
    Optional<Mark> mark = marks.find(id);
    Instant now = marks.now();
    Optional<MarkRow> row = mark.map(it -> marks.row(it, now));
    Optional<String> own = mark.flatMap(this::deadLetterTopic);
    boolean searched = deployment.broker().isPresent()
        && mark.filter(it -> it.state() == MarkState.DONE).isEmpty();
    String topic = searched ? own.orElse(deployment.letters()) : "";
    Letters.Found found = new Letters.Found(Optional.empty(), false);
    String failure = "";
    if (!topic.isEmpty()) {
      try {
        found = letters.find(row.map(MarkRow::id).orElse(id), topic);
      } catch (AuditFailedException | IllegalArgumentException e) {
        failure = FailureTexts.text(e); // the mark is shown all the same
      }
    }
    return new IdView(
        id,
        row,
        history(id, mark, now),
        found.row(),
        topic,
        found.complete() && (own.isPresent() || hasOneDeadLetterTopic()),
        failure,
        scope,
        actions(mark, found.row().isPresent(), now));
  }

  private Optional<String> deadLetterTopic(Mark mark) {
    return deployment
        .broker()
        .flatMap(broker -> broker.deadLetterTopic(mark.claim().origin().coordinates()));
  }

  private boolean hasOneDeadLetterTopic() {
    return deployment.broker().filter(Broker::hasOneDeadLetterTopic).isPresent();
  }

  private List<String> actions(Optional<Mark> found, boolean hasLetter, Instant now) {
    List<String> actions = new ArrayList<>(found.map(mark -> onMark(mark, now)).orElse(List.of()));
    if (deployment.broker().isPresent() && hasLetter) {
      actions.add("redrive");
    }
    return actions;
  }

  private List<String> onMark(Mark mark, Instant now) {
    if (mark.state() == MarkState.DONE) {
      return mark.detail().equals(Bytes.EMPTY) ? List.of() : List.of("forget");
    } else if (mark.state() == MarkState.DEAD
        || mark.leasedAt(now)
        || deployment.broker().isEmpty()) {
      return List.of("reopen", "done");
    }
    return deployment.canDeadLetter()
        ? List.of("reopen", "done", "redeliver", "dead-letter")
        : List.of("reopen", "done", "redeliver");
  }

  private List<HistoryRow> history(String id, Optional<Mark> found, Instant now)
      throws IOException {
    List<HistoryRow> history = new ArrayList<>();
    found.ifPresent(mark -> {
      history.add(new HistoryRow(
          mark.claimedAt(),
          "claimed",
          "attempt " + mark.claim().attempt().number()
              + (mark.claim().origin().owner().isEmpty()
                  ? ""
                  : ", " + mark.claim().origin().owner())));
      ending(mark, now).ifPresent(history::add);
    });
    if (log.isPresent()) {
      for (ActionRow row : log.get().page(Optional.empty()).rows()) {
        if (row.subject().equals(id) && !row.dryRun()) {
          history.add(new HistoryRow(
              row.at(), "action", row.action() + ", " + row.user() + ": " + row.result()));
        }
      }
    }
    history.sort(Comparator.comparing(HistoryRow::at));
    return history;
  }

  private static Optional<HistoryRow> ending(Mark mark, Instant now) {
    return switch (mark.state()) {
      case PROCESSING ->
        mark.leasedAt(now)
            ? Optional.empty()
            : Optional.of(new HistoryRow(mark.until(), "lease-ended", ""));
      case RETRY -> Optional.of(new HistoryRow(mark.until(), "due", ""));
      case DONE -> Optional.of(new HistoryRow(mark.until(), "done", ""));
      case DEAD -> Optional.of(new HistoryRow(mark.until(), "dead", Marks.text(mark.detail())));
      case ABSENT -> Optional.empty();
    };
  }
}
