package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.Console;
import io.hapax.console.ConsoleServer;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.operations.Deployment;
import io.hapax.console.security.TokenFile;
import io.hapax.console.view.Setting;
import io.hapax.operations.Broker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.rocketmq.common.MQVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the web console. */
@Command(
    name = "console",
    sortOptions = false,
    description = {
      "Serves web pages that show a consumer's marks, dead letters, duplicates and conflicts, and"
          + " look one message up. With --allow-writes they also reopen, redeliver, redrive and"
          + " replay, always after a dry run, and every action is written to the action log."
          + " Runs until it is stopped.",
      ""
    },
    footer = {
      "",
      "Exit code 0: the console was stopped. 2: a bad option, or an address other than loopback"
          + " without TLS. 3: the command failed."
    })
final class ConsoleCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 8;

  @Mixin
  private ConsumerOptions consumer;

  @ArgGroup(exclusive = false)
  private @Nullable Source source;

  @Mixin
  private VerdictOptions verdict;

  @Mixin
  private TopicOptions topics;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8090",
      description =
          "The address to listen on (${DEFAULT-VALUE}). An address other than loopback needs"
              + " --tls-keystore.")
  private String listen;

  @Mixin
  private TlsOptions tls;

  @Option(
      names = "--host-name",
      paramLabel = "NAME",
      description =
          "A further host name that browsers may use, besides localhost and the address of"
              + " --listen. Can be given several times.")
  private Set<String> hostNames = Set.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      defaultValue = "${sys:user.home}/.hapax/console-token",
      description =
          "The file with the token in its first line, readable for its owner only. The file is"
              + " created if it is missing (.hapax/console-token in your home).")
  private Path tokenFile;

  @Option(
      names = "--allow-writes",
      description = "Permits actions. Without it the pages are read-only.")
  private boolean allowWrites;

  @Option(
      names = "--action-log",
      paramLabel = "FILE",
      defaultValue = "${sys:user.home}/.hapax/console-actions.jsonl",
      description =
          "The file to which each action is appended (.hapax/console-actions.jsonl in your"
              + " home).")
  private Path actionLog;

  @Option(names = "--show-payloads", description = "Shows the stored results of handlers.")
  private boolean showPayloads;

  @Mixin
  private StoreOptions store;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "The longest wait for a broker that does not answer (${DEFAULT-VALUE}).")
  private Duration patience;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    OutputOptions.requirePossible(patience, spec);
    try (Opened opened = store.open(CONNECTIONS, allowWrites);
        ConsoleServer server = start(opened)) {
      HapaxCommand.print(
          spec,
          "console: " + server.address() + "/\n"
              + "token: the first line of " + tokenFile + "\n"
              + (allowWrites
                  ? "actions: permitted, written to " + actionLog + "\n"
                  : "read-only\n"));
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the console was stopped
    }
    return HapaxCommand.SUCCESS;
  }

  private ConsoleServer start(Opened opened) throws Exception {
    InetSocketAddress address = address();
    var certificate = tls.context();
    if (certificate.isEmpty() && !address.isUnresolved()) {
      ConsoleServer.requireLoopback(address);
    }
    Console console = Console.open(settings(address), deployment(opened));
    try {
      return ConsoleServer.start(console, address, certificate);
    } catch (IOException | RuntimeException e) {
      console.close();
      throw e;
    }
  }

  private InetSocketAddress address() {
    try {
      return ConsoleServer.parse(listen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ConsoleSettings settings(InetSocketAddress address) throws IOException {
    Set<String> hosts = new HashSet<>(hostNames);
    hosts.add(address.getHostString());
    ConsoleSettings settings =
        ConsoleSettings.standalone(TokenFile.read(tokenFile)).forHosts(hosts);
    if (allowWrites) {
      settings = settings.allowingWrites(actionLog);
    }
    if (showPayloads) {
      settings = settings.showingPayloads();
    }
    return tls.isGiven() ? settings.overTls() : settings;
  }

  private Deployment deployment(Opened opened) {
    Deployment deployment = Deployment.of(consumer.consumer(), opened.store());
    Source from = source;
    List<Setting> settings = new ArrayList<>(List.of(
        new Setting("store", store.description()),
        new Setting("writes", allowWrites ? "allowed" : "read-only"),
        new Setting("payloads", showPayloads ? "shown" : "hidden")));
    List<Setting> versions = new ArrayList<>(List.of(
        new Setting("Java", Runtime.version().toString()),
        new Setting("kafka-clients", AppInfoParser.getVersion()),
        new Setting("rocketmq-client", MQVersion.getVersionDesc(MQVersion.CURRENT_VERSION))));
    if (from != null) {
      Broker broker = from.connect(consumer, verdict, patience);
      deployment = deployment.with(broker, topics.topic, topics.group, topics.letters);
      settings.add(new Setting("broker", from.description()));
    } else {
      topics.refuseWithoutBroker();
    }
    return deployment.showing(settings, versions);
  }
}
