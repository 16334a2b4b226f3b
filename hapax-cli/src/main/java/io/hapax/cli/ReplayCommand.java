package io.hapax.cli;

import io.hapax.audit.AuditReport;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.ReplayPlan;
import io.hapax.cli.StoreOptions.Opened;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves a stopped group. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      "Moves a stopped group to another place of a topic, so that it reads from there when it is"
          + " started. Without --execute it only says what would come again, and what of that would"
          + " run again.",
      ""
    },
    footer = {
      "",
      "Exit code 0: nothing would run again and nothing is skipped undone, or it was moved as"
          + " accepted. 1: something would, and nothing was moved. 2: a bad option. 3: it could not"
          + " be finished, or was refused because the group has members."
    })
final class ReplayCommand implements Callable<Integer> {

  @Mixin
  private BrokerOptions broker;

  @Mixin
  private PartOptions part;

  @Option(
      names = "--group",
      required = true,
      paramLabel = "GROUP",
      description = "The group to move. It must be stopped.")
  private String group;

  @Option(names = "--execute", description = "Moves the group.")
  private boolean execute;

  @Option(
      names = "--accept",
      description = "Moves it even if something would run again or is skipped undone.")
  private boolean accept;

  @Mixin
  private ConsumerOptions consumer;

  @Mixin
  private IdOptions ids;

  @Mixin
  private VerdictOptions verdict;

  @Mixin
  private StoreOptions store;

  @Mixin
  private OutputOptions output;

  @Override
  public Integer call() throws Exception {
    output.refuseUnwritable();
    Broker connected = broker.connect(verdict.of(ids.of(consumer)), output.patience());
    try (GroupReplay replay = connected.replay(group)) {
      ReplayPlan plan = replay.plan(part.part(), part.from());
      output.print(plan.toText());
      ReportJson json = new ReportJson();
      boolean harmless = judge(connected, plan, json);
      boolean moves = execute && (harmless || accept);
      if (moves) {
        replay.execute(plan);
      }
      output.print(ending(moves));
      output.write(json.with(plan, moves));
      return harmless || moves ? HapaxCommand.WELL : HapaxCommand.SOMETHING_LEFT;
    }
  }

  /** Whether the move neither repeats nor loses anything. */
  private boolean judge(Broker connected, ReplayPlan plan, ReportJson json) throws Exception {
    try (Opened opened = store.openReadOnly(AuditCommand.CONNECTIONS)) {
      AuditReport again = Bar.shown(bar -> connected.audit(opened.store(), bar).runAgain(plan));
      output.print("what comes again:\n" + again.toText());
      json.with("again", again);
      if (plan.skipped() == 0) {
        return again.settled();
      }
      AuditReport skipped =
          Bar.shown(bar -> connected.audit(opened.store(), bar).runSkipped(plan));
      output.print("what is skipped, of which nothing will run:\n" + skipped.toText());
      json.with("skipped", skipped);
      return again.settled() && skipped.settled();
    }
  }

  private String ending(boolean moved) {
    if (moved) {
      return "The group was moved. Start the service.\n";
    }
    return execute
        ? "Nothing was moved: not all of it is settled. --accept moves it all the same.\n"
        : "This was a dry run, nothing was moved. --execute moves the group.\n";
  }
}
