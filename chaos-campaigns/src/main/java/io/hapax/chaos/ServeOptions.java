package io.hapax.chaos;

import io.hapax.console.ConsoleServer;
import io.hapax.demo.Mode;
import io.hapax.demo.Termination;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the live demo. */
final class ServeOptions {

  private static final String SERVE = "--serve";
  private static final String LISTEN = "--listen";
  private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

  /** The options that may be given with {@code --serve}. */
  private static final Set<String> WITH_SERVE = Set.of(SERVE, LISTEN, "--store", "--mode");

  @Option(
      names = SERVE,
      description = "Serves a web page whose buttons kill consumers, stop the store and replay the"
          + " topic, until the demo is stopped. Kafka only; the store is postgres unless --store"
          + " names another one.")
  private boolean serve;

  @Option(
      names = LISTEN,
      paramLabel = "HOST:PORT",
      description = "The address of that page (127.0.0.1:8090).")
  private @Nullable String listen;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Returns whether the live demo is requested. Refuses options that do not fit. */
  boolean requested() {
    if (!serve && listen != null) {
      throw bad("--listen must be given with --serve only");
    }
    if (serve) {
      spec.commandLine().getParseResult().matchedOptions().stream()
          .map(OptionSpec::longestName)
          .filter(name -> !WITH_SERVE.contains(name))
          .findFirst()
          .ifPresent(name -> {
            throw bad(name + " must not be given with --serve, which takes only --listen, --store"
                + " and --mode");
          });
    }
    return serve;
  }

  /** Returns the store of the live demo. */
  StoreKind store(StoreKind given) {
    boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption("--store");
    StoreKind store = isGiven ? given : StoreKind.POSTGRES;
    if (!store.hasServer()) {
      throw bad("--store is " + store + " but must be another one with --serve: its file belongs"
          + " to one process, and several consumers run");
    }
    return store;
  }

  /** Returns the mode of the live demo. */
  Mode mode(StoreKind store, @Nullable Mode given) {
    Mode mode = given == null ? store.modes().get(0) : given;
    if (!store.modes().contains(mode)) {
      throw bad(
          "--mode is " + mode + " but must be " + store.modes().get(0) + " with --store " + store);
    }
    return mode;
  }

  /** Returns the address to listen on, which must be free. */
  InetSocketAddress address() {
    InetSocketAddress address;
    try {
      address = ConsoleServer.parse(listen == null ? "127.0.0.1:8090" : listen);
      if (address.isUnresolved()) {
        throw bad("--listen is " + listen + " but that host name cannot be resolved");
      }
      if (!address.getAddress().isLoopbackAddress()) {
        throw bad("--listen is " + listen + " but must be a loopback address such as 127.0.0.1");
      }
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
    // Found out now, because the servers take a while to start.
    try (ServerSocket free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
      return free.isBound() ? address : new InetSocketAddress(0);
    } catch (IOException e) {
      throw bad("--listen is " + address.getHostString() + ':' + address.getPort()
          + " but that address is not free: " + e.getMessage());
    }
  }

  /** Runs the live demo until the process is asked to end. */
  void run(StoreKind store, Mode mode, Path folder, Progress progress, Termination termination)
      throws Exception {
    InetSocketAddress address = address();
    try (Serving serving = new Serving(store, mode, address, folder, progress)) {
      spec.commandLine()
          .getOut()
          .print(String.join(
              System.lineSeparator(),
              List.of(
                  "Open " + serving.address() + "/trial",
                  "Token " + serving.token(),
                  "Ctrl-C ends the demo.",
                  "")));
      spec.commandLine().getOut().flush();
      while (!termination.await(CHECK_INTERVAL)) {
        // the console and the consumers run
      }
      progress.step("ending consumers and servers");
    }
  }

  private ParameterException bad(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
