package io.hapax.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the order service. Its environment configures it. */
@Command(
    name = "order-service",
    description = "An order service on Hapax: each order takes effect once, even if it is delivered"
        + " several times.",
    footer = {
      "",
      "ORDERS_BROKER          kafka (default) or rocketmq",
      "ORDERS_BROKER_ADDRESS  host:port of Kafka's brokers or of RocketMQ's name servers",
      "ORDERS_TOPIC           orders",
      "ORDERS_GROUP           order-service: consumer group and scope of the marks",
      "ORDERS_DATABASE_URL    JDBC URL of the ledger: PostgreSQL, MySQL, MariaDB or H2",
      "ORDERS_DATABASE_USER, ORDERS_DATABASE_PASSWORD",
      "ORDERS_STORE           the store of the marks: database (default) or redis",
      "ORDERS_REDIS_URI       redis://host:port, with ORDERS_STORE=redis",
      "ORDERS_MODE            transactional (default in the database) or leased",
      "ORDERS_HEALTH_PORT     8080: /health and /metrics, on the loopback interface",
      "",
      "Exit code 1: a failure, or the service is not healthy. 2: a bad variable or option."
    })
public final class ServiceCommand implements Runnable {

  private static final int BAD_OPTION = 2;

  private final Map<String, String> variables;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(names = "--help", usageHelp = true, description = "Shows this help.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  private ServiceCommand(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
  }

  public static void main(String[] arguments) {
    // RocketMQ's client would write its log to the user's home.
    Path logs = Path.of(System.getProperty("java.io.tmpdir"), "order-service");
    System.getProperties().putIfAbsent("rocketmq.log.root", logs.toString());
    System.getProperties().putIfAbsent("rocketmq.log.level", "warn");
    System.exit(commandLine(System.getenv()).execute(arguments));
  }

  static CommandLine commandLine(Map<String, String> variables) {
    return answering(new CommandLine(new ServiceCommand(variables)));
  }

  /** Lets a command line answer a bad variable or option with one line. */
  public static CommandLine answering(CommandLine line) {
    return line.setParameterExceptionHandler((problem, arguments) -> {
          line.getErr()
              .println(line.getCommandName() + ": "
                  + String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option"));
          return BAD_OPTION;
        })
        .setExecutionExceptionHandler((problem, command, result) -> {
          line.getErr().println(line.getCommandName() + ": failed");
          problem.printStackTrace(line.getErr());
          return 1;
        });
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "one of serve, send, ledger and health is missing");
  }

  @Command(description = "Handles orders until SIGTERM.")
  int serve() throws Exception {
    ServiceSettings settings = settings();
    try (Termination termination = Termination.listen()) {
      OrderService.run(settings, termination, this::say);
    }
    return 0;
  }

  @Command(description = "Sends an order. The same id always means the same order.")
  int send(@Parameters(paramLabel = "ID", description = "The order's id.") String id)
      throws Exception {
    try (OrderChannel<?> channel = settings().channel().open()) {
      channel.create(OrderChannel.PARTITIONS);
      channel.send(List.of(OrderChannel.Message.of(Orders.single(id))));
    }
    say("sent " + id);
    return 0;
  }

  @Command(description = "Shows all effects, one a line.")
  int ledger() throws Exception {
    try (var database = settings().database().open();
        var connection = database.getConnection()) {
      Shop.ledger(connection)
          .forEach(row -> say(row.orderId() + "  token " + row.token() + "  attempt "
              + row.attempt() + (row.recovery() ? "  recovery" : "")));
    }
    return 0;
  }

  @Command(description = "Shows the health of the service on this machine or in this container.")
  int health() throws InterruptedException {
    int port = checked(() -> ServiceSettings.healthPort(variables));
    try {
      Health.Answer answer = Health.ask(port);
      say(answer.text());
      return answer.up() ? 0 : 1;
    } catch (IOException e) {
      say("no answer at port " + port + ": " + e);
      return 1;
    }
  }

  private ServiceSettings settings() {
    return checked(() -> ServiceSettings.of(variables));
  }

  private <T> T checked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
