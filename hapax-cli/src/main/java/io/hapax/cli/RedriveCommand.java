package io.hapax.cli;

import io.hapax.audit.StartingPoint;
import io.hapax.cli.StoreOptions.Opened;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings dead letters back. */
@Command(
    name = "redrive",
    sortOptions = false,
    description = {
      "Brings dead letters back: reopens their marks, then publishes their messages to the topics"
          + " that they came from, if --to names these. --topic is the dead-letter topic, with"
          + " RocketMQ %%DLQ%% and the group. Its records stay there, no group is moved, and the"
          + " service may run. Without --execute it only reports what would become of them. The"
          + " report shows how old each record is.",
      ""
    },
    footer = {
      "",
      "Options may lie in a file: redrive @FILE --all.",
      "Exit code 0: all that were meant are published, or done meanwhile, or on their way; or would"
          + " be. 1: some were refused, or a named message has no record there. 2: a bad option. 3:"
          + " it could not be finished; do it again."
    })
final class RedriveCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 1;

  @Mixin
  private BrokerOptions broker;

  @Mixin
  private PartOptions part;

  @Option(
      names = "--message",
      paramLabel = "ID",
      description = "The records of this message; may be given more than once.")
  private List<String> messages = List.of();

  @Option(names = "--all", description = "All records.")
  private boolean all;

  @Option(
      names = "--to",
      required = true,
      split = ",",
      paramLabel = "TOPIC",
      description = "The topics that may be published to. A record names the topic it came from: it"
          + " is refused if that one is not listed here.")
  private Set<String> targets = Set.of();

  @Option(
      names = "--accept-unmarked",
      description = "Publishes also records of which the store has no mark. Their messages may have"
          + " taken effect before, and they may be forged. Without it they are refused.")
  private boolean acceptUnmarked;

  @Option(names = "--execute", description = "Brings them back.")
  private boolean execute;

  @Mixin
  private ConsumerOptions consumer;

  @Mixin
  private IdOptions ids;

  @Mixin
  private StoreOptions store;

  @Mixin
  private OutputOptions output;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    output.refuseUnwritable();
    StartingPoint from = part.from();
    DeadLetterSelection which = which();
    RedriveSettings settings = new RedriveSettings(targets, acceptUnmarked);
    Broker connected = broker.connect(ids.of(consumer), output.patience());
    RedriveReport report;
    try (Opened opened = store.open(CONNECTIONS, execute);
        Broker.Redriver redriver = connected.redriver(opened.store(), settings)) {
      report = execute
          ? redriver.redrive(part.part(), from, which)
          : redriver.plan(part.part(), from, which);
    }
    output.print("consumer " + consumer.consumer() + ", dead letters in "
        + part.part().topic() + ", from " + from + ", to " + String.join(", ", targets) + "\n"
        + report.toText());
    if (report.unmarked() > 0 && !acceptUnmarked) {
      output.print(
          "Records without a mark in this store were refused. If it is the consumer's store"
              + " and their messages shall run, --accept-unmarked publishes them.\n");
    }
    if (!execute) {
      output.print("This was a dry run, nothing was published. --execute brings them back.\n");
    }
    output.write(new ReportJson().with(report));
    return report.complete() ? HapaxCommand.WELL : HapaxCommand.SOMETHING_LEFT;
  }

  /** That all are meant has to be said. */
  private DeadLetterSelection which() {
    if (all == !messages.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "say which records are meant: --message ID, or --all");
    }
    return all ? DeadLetterSelection.all() : DeadLetterSelection.of(messages);
  }
}
