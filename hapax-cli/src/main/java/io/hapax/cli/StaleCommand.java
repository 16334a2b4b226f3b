package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.MarkKind;
import io.hapax.console.operations.MarkText;
import io.hapax.console.operations.ReportJson;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists marks whose message is not redelivered, and handles one of them. */
@Command(
    name = "stale",
    sortOptions = false,
    description = {
      "Lists a consumer's marks whose lease has expired, whose effect is in doubt, or which are"
          + " dead. With --message it publishes that message again: it reads the message at the"
          + " place that the mark names, and the consumer that receives it takes the mark over."
          + " Or --resolve changes the mark. Without --execute it only shows what it would do.",
      ""
    },
    footer = {
      "",
      "Exit code 0: there is no such mark; or the message was published, or its mark changed, or"
          + " would be. 1: there are such marks. 2: a bad option. 3: the command failed or was"
          + " refused: an owner holds the mark, or another message or none is at its place; or the"
          + " store does not know the consumer."
    })
final class StaleCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 1;

  @Mixin
  private ConsumerOptions consumer;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      defaultValue = "stale",
      description = "The listed kinds of marks: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Set<MarkKind> kinds = EnumSet.of(MarkKind.STALE);

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "The most marks of each kind (${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--accept-none",
      description = "Ends with 0 although the store has neither an open nor a dead mark of the"
          + " consumer. DONE marks have no name, so this is also the answer to a wrong name.")
  private boolean acceptNone;

  @Option(
      names = "--message",
      paramLabel = "ID",
      description = "The message that is published again, or whose mark is changed.")
  private @Nullable String message;

  @Option(
      names = "--resolve",
      paramLabel = "DECISION",
      description = {
        "Changes the mark of the message, and publishes nothing.",
        "reopen: the message runs when it is delivered.",
        "force_done: the message has taken effect, and does not run.",
        "reopen_any_payload: as reopen, also for a done mark, and for any payload. For an id"
            + " that another payload took first. The first message that is delivered with this"
            + " id runs.",
        "done_any_payload: the mark stays done, and every message with this id is acknowledged"
            + " as a duplicate WITHOUT RUNNING. For a message that took effect before the"
            + " fingerprint function was changed. If another payload took the id first, this"
            + " loses the genuine message.",
        "forget: erases the result of a done mark, which stays done."
      })
  private Resolution.@Nullable Kind decision;

  @Option(
      names = "--force",
      description = "With --resolve: also changes a mark that an owner holds. If that owner is"
          + " alive, its handler continues and the effect MAY HAPPEN TWICE: stop it first. For"
          + " leases of hours or days, which a store writes while its clock is ahead.")
  private boolean force;

  @Option(names = "--execute", description = "Publishes the message, or changes its mark.")
  private boolean execute;

  @ArgGroup(exclusive = false)
  private @Nullable Source source;

  @Mixin
  private StoreOptions store;

  @Mixin
  private OutputOptions output;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    output.refuseUnwritable();
    refuseContradictions();
    Optional<Resolution> resolution =
        Optional.ofNullable(decision).map(kind -> new Resolution(kind, force));
    try (Opened opened = store.open(CONNECTIONS, execute)) {
      MarkOperations marks = new MarkOperations(opened.store(), consumer.consumer());
      if (message == null) {
        return list(marks, opened.store());
      }
      Optional<Text> refusal = resolution.isEmpty()
          ? redelivered(opened.store(), message)
          : decided(marks, message, resolution.get());
      output.print(ending(message, resolution, refusal));
      output.write(
          new ReportJson().withMessage(message, refusal, resolution, execute && refusal.isEmpty()));
      return refusal.isEmpty() ? HapaxCommand.SUCCESS : HapaxCommand.NOT_FINISHED;
    }
  }

  private void refuseContradictions() {
    boolean decides = decision != null;
    if (limit < 1) {
      throw misuse("--limit is " + limit + " but must be at least 1");
    } else if (message == null && (execute || decides)) {
      throw misuse("--execute and --resolve need --message ID");
    } else if (force && !decides) {
      throw misuse("--force needs --resolve DECISION");
    } else if (message != null && (source == null) != decides) {
      throw misuse("--message needs either --bootstrap and --id, to publish the message again,"
          + " or --resolve");
    }
  }

  private ParameterException misuse(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private int list(MarkOperations marks, DedupStore opened) throws Exception {
    output.print("consumer " + consumer.consumer() + "\n");
    ReportJson json = new ReportJson();
    boolean none = true;
    for (MarkKind kind : kinds) {
      List<Mark> found = marks.list(kind.asked(), limit);
      long all = found.size() < limit ? found.size() : marks.count(kind.asked());
      output.print(kind.text() + ": " + all
          + (all > found.size() ? ", the first " + found.size() + " of them (--limit)" : "")
          + "\n");
      Instant now = marks.now();
      found.forEach(mark -> output.print("  " + MarkText.of(mark, now) + "\n"));
      json.with(kind.text(), found, all == found.size());
      none &= found.isEmpty();
    }
    output.write(json);
    if (!none) {
      return HapaxCommand.ATTENTION_NEEDED;
    }
    return acceptNone
        ? HapaxCommand.SUCCESS
        : Doubts.about(opened, consumer.consumer())
            .map(doubt -> output.refuse(doubt + " If they are, --accept-none ends with 0"))
            .orElse(HapaxCommand.SUCCESS);
  }

  /** Returns the reason why the message was not published; empty if it was or would be. */
  private Optional<Text> redelivered(DedupStore opened, String id) throws Exception {
    Source from = source;
    if (from == null) {
      throw misuse("--bootstrap and --id are needed");
    }
    Broker broker = from.connect(consumer, output.patience());
    try (Redriver redriver = broker.redriver(opened)) {
      RedriveResult answer = execute ? redriver.redeliver(id) : redriver.plan(id);
      return answer instanceof RedriveResult.Published
          ? Optional.empty()
          : Optional.of(answer.why());
    }
  }

  private Optional<Text> decided(MarkOperations marks, String id, Resolution resolution) {
    return execute ? marks.resolve(id, resolution) : marks.refusal(marks.find(id), resolution);
  }

  private String ending(String id, Optional<Resolution> resolution, Optional<Text> refusal) {
    if (refusal.isPresent()) {
      return Text.sanitize("Nothing was changed for " + id + ": " + refusal.get()) + ".\n";
    }
    Text what =
        resolution.map(it -> MarkText.effect(it.kind())).orElse(Text.of("effect.published"));
    return execute
        ? Text.of("change.made", id, what) + ".\n"
        : Text.of("change.planned", id, what) + ".\n"
            + "This was a dry run, nothing was changed. --execute makes the change.\n";
  }
}
