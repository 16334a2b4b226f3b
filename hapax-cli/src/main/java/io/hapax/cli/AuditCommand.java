package io.hapax.cli;

import io.hapax.audit.AuditReport;
import io.hapax.audit.StartingPoint;
import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Broker;
import io.hapax.console.operations.ReportJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Audits a topic. */
@Command(
    name = "audit",
    sortOptions = false,
    description = {
      "Reads a topic and compares its messages with the marks of a consumer. Shows which"
          + " messages would run again if the topic were replayed now. Runs no handler, moves"
          + " no group and changes no mark.",
      ""
    },
    footer = {
      "",
      "Exit code 0: no message would run again. 1: some would, or are in flight.",
      "2: a bad option. 3: the audit failed."
    })
final class AuditCommand implements Callable<Integer> {

  static final int CONNECTIONS = 8;

  @Mixin
  private BrokerOptions broker;

  @Mixin
  private PartOptions part;

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
    StartingPoint from = part.from();
    Broker connected = broker.connect(verdict.of(ids.of(consumer)), output.patience());
    AuditReport report;
    try (Opened opened = store.openReadOnly(CONNECTIONS)) {
      report = Bar.shown(bar -> connected.audit(opened.store(), bar).run(part.part(), from));
    }
    output.print("consumer " + consumer.consumer() + ", topic " + part.part().topic() + ", from "
        + from + "\n" + report.toText());
    output.write(new ReportJson().with("audit", report));
    return report.settled() ? HapaxCommand.SUCCESS : HapaxCommand.ATTENTION_NEEDED;
  }
}
