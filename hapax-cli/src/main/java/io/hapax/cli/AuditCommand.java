package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.ReportJson;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.StartingPoint;
import java.util.Optional;
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
      "2: a bad option. 3: the audit failed, or its options are doubtful: nearly all messages have"
          + " no id, or the store knows neither the consumer nor any id."
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
    Optional<Text> doubt;
    try (Opened opened = store.open(CONNECTIONS, false)) {
      report = Bar.shown(bar -> connected.audit(opened.store(), bar).run(part.part(), from));
      doubt = Doubts.about(report, opened.store());
    }
    output.print("consumer " + consumer.consumer() + ", topic " + part.part().topic() + ", from "
        + from.text() + "\n" + report.toText());
    output.write(new ReportJson().with("audit", report));
    if (doubt.isPresent()) {
      return output.refuse(doubt.get().toString());
    }
    return report.settled() ? HapaxCommand.SUCCESS : HapaxCommand.ATTENTION_NEEDED;
  }
}
