package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.ReportJson;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.topic.StartingPoint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Redrives dead-letter records. */
@Command(
    name = "redrive",
    sortOptions = false,
    description = {
      "Redrives dead-letter records: reopens their marks, then publishes their messages to their"
          + " original topics, if --to names these. --topic is the dead-letter topic, with"
          + " RocketMQ %%DLQ%% and the group. Its records stay there, no group is moved, and"
          + " the service may run. Without --execute it only shows what it would do. The report"
          + " shows the age of each record.",
      ""
    },
    footer = {
      "",
      "Options can be in a file: redrive @FILE --all.",
      "Exit code 0: all selected records are published, done meanwhile or under way, or would"
          + " be. 1: some were refused, or a named message has no record there. 2: a bad"
          + " option. 3: the redrive failed; run it again."
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
      description = "The records of this message. Can be given several times.")
  private List<String> messages = List.of();

  @Option(names = "--all", description = "All records.")
  private boolean all;

  @Option(
      names = "--to",
      required = true,
      split = ",",
      paramLabel = "TOPIC",
      description = "The permitted topics. A record names its original topic, and is refused if"
          + " that topic is not listed here.")
  private Set<String> targets = Set.of();

  @Option(
      names = "--accept-unmarked",
      description = "Also publishes records without a mark in the store. Their messages may have"
          + " taken effect before, and the records may be forged. Without this option they are"
          + " refused.")
  private boolean acceptUnmarked;

  @Option(names = "--execute", description = "Redrives the records.")
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
        Redriver redriver = connected.redriver(opened.store())) {
      report = Bar.shown(bar -> execute
          ? redriver.redrive(part.part(), from, which, settings.controlledBy(bar))
          : redriver.plan(part.part(), from, which, settings.controlledBy(bar)));
    }
    output.print("consumer " + consumer.consumer() + ", dead letters in "
        + part.part().topic() + ", from " + from.text() + ", to " + String.join(", ", targets)
        + "\n"
        + report.toText());
    if (report.unmarked() > 0 && !acceptUnmarked) {
      output.print(
          "Records without a mark in this store were refused. If it is the consumer's store and"
              + " their messages should run, --accept-unmarked publishes them.\n");
    }
    if (!execute) {
      output.print("This was a dry run, nothing was published. --execute redrives the records.\n");
    }
    output.write(new ReportJson().with(report));
    return report.complete() ? HapaxCommand.SUCCESS : HapaxCommand.ATTENTION_NEEDED;
  }

  /** Returns the selected records. A selection of all must be explicit. */
  private DeadLetterSelection which() {
    if (all == !messages.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "a selection of records is missing: --message ID, or --all");
    }
    return all ? DeadLetterSelection.all() : DeadLetterSelection.of(messages);
  }
}
