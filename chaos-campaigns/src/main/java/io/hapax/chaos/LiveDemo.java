package io.hapax.chaos;

import io.hapax.chaos.Reports.Ending;
import io.hapax.console.Console;
import io.hapax.console.ConsoleServer;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.figures.Figures;
import io.hapax.console.figures.GroupFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.console.security.TokenFile;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.view.Figure;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The live demo: consumers, and a console with the view "Break it".
 *
 * @param address the address of the console
 * @param signIn the address that signs in and leads to the view
 */
record LiveDemo(URI address, URI signIn) {

  private static final int MEMBERS = 2;

  /** Three of them may wait for a stopped store, a slow gateway and a broker. */
  private static final int THREADS = 6;

  /** After this time the page shows that a consumer is still missing. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final long TICK_MILLIS = 100;

  @FunctionalInterface
  interface Use<D> {

    void of(D running) throws Exception;
  }

  /** Starts the demo, lets it be used, and ends all of its parts, the newest first. */
  static void run(Serving servers, InetSocketAddress listen, Path folder, Use<LiveDemo> use)
      throws Exception {
    Deployment deployment = servers.deployment();
    String token = TokenFile.read(folder.resolve("console-token"));
    ConsoleSettings settings = ConsoleSettings.standalone(token)
        .forHosts(Set.of(listen.getHostString()))
        .allowingWrites(folder.resolve("console-actions.jsonl"));
    try (Payments payments = new Payments(servers.stage());
        Crew crew = new Crew(
            () -> servers.start(TrialLane.HAPAX), MEMBERS, () -> servers.start(TrialLane.LOOP));
        Background background = new Background(THREADS)) {
      LiveTrial trial = new LiveTrial(servers, payments, crew, background);
      awaitComplete(crew);
      Figures figures = new LiveFigures(crew, GroupFigures.of(deployment, InstantSource.system()));
      try (Console console = Console.open(settings, deployment, figures, trial);
          ConsoleServer server = ConsoleServer.start(console, listen, Optional.empty())) {
        URI signIn = server.address().resolve("/signin?token=" + token);
        use.of(new LiveDemo(server.address(), signIn));
      }
    }
  }

  /** Waits for all consumers, so that the first button finds them at work. */
  private static void awaitComplete(Crew crew) throws InterruptedException {
    long begin = System.nanoTime();
    while (!crew.isComplete() && System.nanoTime() - begin < START.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  /** Adds the reports of the consumers with Hapax to the figures of the store and the broker. */
  private record LiveFigures(Crew crew, Figures store) implements Figures {

    @Override
    public Snapshot read() {
      long takeovers = crew.sum(each -> each.recoveries().size());
      List<Figure> figures = new ArrayList<>(List.of(
          figure("executed", count(Ending.EXECUTED), false),
          figure("duplicates", count(Ending.DUPLICATE), false),
          figure("busy", count(Ending.DEFERRED), false),
          figure("takeovers", takeovers, takeovers > 0)));
      Snapshot known = store.read();
      figures.addAll(known.figures());
      return new Snapshot(figures, known.problems(), known.answered());
    }

    private static Figure figure(String name, long value, boolean attention) {
      return new Figure(name, OptionalLong.of(value), true, attention);
    }

    private long count(Ending ending) {
      return crew.sum(each -> each.count(ending));
    }

    @Override
    public Duplicates duplicates() {
      long duplicates = count(Ending.DUPLICATE);
      return new Duplicates(
          OptionalLong.of(count(Ending.EXECUTED) + duplicates),
          OptionalLong.of(duplicates),
          List.of());
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
