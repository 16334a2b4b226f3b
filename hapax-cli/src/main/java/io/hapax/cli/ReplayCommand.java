package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.ReportJson;
import io.hapax.generation.Generations;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves a stopped group. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      "Moves a stopped group to another place of a topic, where it reads on after its start."
          + " Without --execute it only shows which messages would be redelivered, and which of"
          + " them would run again.",
      ""
    },
    footer = {
      "",
      "Exit code 0: no message would run again and no unfinished one is skipped, or the group"
          + " was moved with --accept. 1: some would run again or be skipped, and the group was"
          + " not moved. 2: a bad option. 3: the command failed, or was refused because the"
          + " group has members; or nothing was moved because the options are doubtful, see"
          + " audit."
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
      description =
          "Moves the group even if messages would run again, or unfinished ones are" + " skipped.")
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
      output.print(plan.toText().toString());
      ReportJson json = new ReportJson();
      List<Text> doubts = new ArrayList<>();
      boolean harmless;
      boolean moves;
      try (Opened opened = store.open(AuditCommand.CONNECTIONS, false)) {
        int generation = Generations.current(opened.store(), consumer.consumer());
        harmless = judge(connected, plan, opened, json, doubts);
        moves = execute && (harmless || accept);
        if (moves && Generations.current(opened.store(), consumer.consumer()) != generation) {
          return output.refuse("Nothing was moved: the consumer is in another generation since the"
              + " audit began, in which these messages would run again");
        }
      }
      if (moves) {
        replay.execute(plan);
      }
      output.print(ending(moves));
      output.write(json.with(plan, moves));
      if (!moves && !doubts.isEmpty()) {
        return output.refuse(doubts.get(0).toString());
      }
      return harmless || moves ? HapaxCommand.SUCCESS : HapaxCommand.ATTENTION_NEEDED;
    }
  }

  /** Returns whether the move neither repeats nor loses an effect. */
  private boolean judge(
      Broker connected, ReplayPlan plan, Opened opened, ReportJson json, List<Text> doubts)
      throws Exception {
    AuditReport again = Bar.shown(bar -> connected.audit(opened.store(), bar).runAgain(plan));
    output.print("redelivered messages:\n" + again.toText());
    json.with("again", again);
    Doubts.about(again, opened.store()).ifPresent(doubts::add);
    if (plan.skipped() == 0) {
      return again.settled();
    }
    AuditReport skipped = Bar.shown(bar -> connected.audit(opened.store(), bar).runSkipped(plan));
    output.print("skipped messages, of which none will run:\n" + skipped.toText());
    json.with("skipped", skipped);
    Doubts.about(skipped, opened.store()).ifPresent(doubts::add);
    return again.settled() && skipped.skippable();
  }

  private String ending(boolean moved) {
    if (moved) {
      return "The group was moved. Start the service.\n";
    }
    return execute
        ? "Nothing was moved: some of these messages are not settled. --accept moves the group"
            + " anyway.\n"
        : "This was a dry run, nothing was moved. --execute moves the group.\n";
  }
}
