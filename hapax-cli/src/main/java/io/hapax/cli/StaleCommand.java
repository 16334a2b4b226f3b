package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.Lines;
import io.hapax.console.operations.MarkKind;
import io.hapax.console.operations.MarkText;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.operations.ResolutionText;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.Redriver;
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

  /** The place of a message and the way to read its id. */
  static final class Source {
    @ArgGroup(exclusive = false, multiplicity = "1")
    private BrokerOptions broker = new BrokerOptions();

    @ArgGroup(exclusive = false, multiplicity = "1")
    private IdOptions ids = new IdOptions();
  }

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

  @Mixin
  private ResolveOptions resolving;

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
    Optional<Resolution> resolution = resolving.resolution();
    try (Opened opened = store.open(CONNECTIONS, execute)) {
      MarkOperations marks = new MarkOperations(opened.store(), consumer.consumer());
      if (message == null) {
        return list(marks, opened.store());
      }
      Optional<String> refusal = resolution.isEmpty()
          ? redelivered(opened.store(), message)
          : decided(marks, message, resolution.get());
      output.print(ending(message, resolution, refusal));
      output.write(
          new ReportJson().withMessage(message, refusal, resolution, execute && refusal.isEmpty()));
      return refusal.isEmpty() ? HapaxCommand.SUCCESS : HapaxCommand.NOT_FINISHED;
    }
  }

  private void refuseContradictions() {
    boolean decides = resolving.resolution().isPresent();
    if (limit < 1) {
      throw misuse("--limit is " + limit + " but must be at least 1");
    } else if (message == null && (execute || decides)) {
      throw misuse("--execute and --resolve need --message ID");
    } else if (resolving.isForcedWithoutDecision()) {
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
      boolean more = found.size() == limit;
      output.print(kind.text() + ": " + (more ? "at least " : "") + found.size() + "\n");
      Instant now = marks.now();
      found.forEach(mark -> output.print(MarkText.of(mark, now)));
      json.with(kind.text(), found, !more);
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
  private Optional<String> redelivered(DedupStore opened, String id) throws Exception {
    Source from = source;
    if (from == null) {
      throw misuse("--bootstrap and --id are needed");
    }
    Broker broker = from.broker.connect(from.ids.of(consumer), output.patience());
    try (Redriver redriver = broker.redriver(opened)) {
      RedriveResult answer = execute ? redriver.redeliver(id) : redriver.plan(id);
      return answer instanceof RedriveResult.Published
          ? Optional.empty()
          : Optional.of(answer.why());
    }
  }

  private Optional<String> decided(MarkOperations marks, String id, Resolution resolution) {
    return execute ? marks.resolve(id, resolution) : marks.refusal(id, resolution);
  }

  private String ending(String id, Optional<Resolution> resolution, Optional<String> refusal) {
    if (refusal.isPresent()) {
      return Lines.sanitize("Nothing was changed for " + id + ": " + refusal.get()) + ".\n";
    }
    String what = resolution
        .map(it -> ResolutionText.of(it.kind()))
        .orElse("published again: the next delivery takes its mark over");
    return execute
        ? Lines.sanitize(id + " was " + what) + ".\n"
        : Lines.sanitize(id + " would be " + what) + ".\n"
            + "This was a dry run, nothing was changed. --execute makes the change.\n";
  }
}
