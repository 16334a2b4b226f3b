package io.hapax.console.data;

import io.hapax.console.action.ActionLog;
import io.hapax.console.figures.History;
import io.hapax.console.job.Audits;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.Figure;
import io.hapax.console.view.IdView;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.Broker;
import io.hapax.operations.lookup.MessageAnswer;
import io.hapax.operations.lookup.MessageLookup;
import io.hapax.operations.lookup.MessageSources;
import io.hapax.operations.lookup.TopicSearch;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Answers what is known about one message id, from what this console has read. */
public final class OneId implements MessageSources {

  private final Deployment deployment;
  private final Marks marks;
  private final Letters letters;
  private final Audits audits;
  private final History history;
  private final Optional<ActionLog> log;
  private final MessageLookup lookup;

  public OneId(
      Deployment deployment,
      Marks marks,
      Letters letters,
      Audits audits,
      History history,
      Optional<ActionLog> log) {
    this.deployment = deployment;
    this.marks = marks;
    this.letters = letters;
    this.audits = audits;
    this.history = history;
    this.log = log;
    this.lookup = new MessageLookup(deployment.store(), deployment.consumer(), this);
  }

  /** Returns the answers for an id, none for a blank one. */
  public IdView view(String typed) throws Exception {
    List<MessageAnswer> answers = typed.isBlank() ? List.of() : lookup.of(typed);
    return new IdView(
        answers.stream().map(this::result).toList(), canPublish() ? deployment.topic() : "");
  }

  private IdView.Result result(MessageAnswer answer) {
    return new IdView.Result(
        answer,
        "0x" + HexFormat.of().formatHex(answer.id().toByteArray()),
        answer.mark().map(it -> marks.row(it, marks.now())),
        answer.letters().records().stream().map(Letters::row).toList());
  }

  @Override
  public DeadLetters letters(Bytes id, Optional<Mark> mark) throws Exception {
    Optional<Broker> broker = deployment.broker();
    Optional<String> own = broker.flatMap(
        it -> mark.flatMap(of -> it.deadLetterTopic(of.claim().origin().coordinates())));
    String topic = own.orElse(deployment.letters());
    if (broker.isEmpty() || topic.isEmpty()) {
      return DeadLetters.NONE;
    }
    DeadLetters found = letters.find(id, topic);
    boolean only = own.isPresent() || broker.get().hasOneDeadLetterTopic();
    return new DeadLetters(topic, found.records(), found.complete() && only, found.failure());
  }

  @Override
  public List<LoggedAction> actions(String id) throws IOException {
    return log.isPresent() ? log.get().about(id) : List.of();
  }

  @Override
  public Optional<TopicSearch> search(Bytes id) {
    return audits.search(id);
  }

  @Override
  public OptionalLong lag() {
    return history.view().figures().stream()
        .filter(it -> it.name().equals("lag"))
        .map(Figure::value)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  @Override
  public boolean canPublish() {
    return deployment.broker().isPresent();
  }

  @Override
  public boolean canDeadLetter() {
    return deployment.canDeadLetter();
  }
}
