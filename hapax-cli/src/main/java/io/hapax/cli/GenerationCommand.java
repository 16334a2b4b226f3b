package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.GenerationForecast;
import io.hapax.console.operations.MarkText;
import io.hapax.console.operations.ReportJson;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.GenerationMove.GroupRuns;
import io.hapax.generation.GenerationMove.Moved;
import io.hapax.generation.GenerationMove.Unexpected;
import io.hapax.generation.Generations;
import io.hapax.store.DedupStore;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Moves a consumer's generation. */
@Command(
    name = "generation",
    sortOptions = false,
    description = {
      "Shows the generation of a consumer, and moves a stopped consumer to the next one. The new"
          + " generation has no marks, so messages that are delivered again run again. Without"
          + " --execute it only shows what it would do.",
      ""
    },
    footer = {
      "",
      "Exit code 0: the generation was shown, or the consumer was moved or would be. 2: a bad"
          + " option. 3: the command failed or was refused: the consumer is running, its group"
          + " has members, or it is in another generation than the expected one."
    })
final class GenerationCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 1;

  @Mixin
  private ConsumerOptions consumer;

  @Option(
      names = "--expected",
      paramLabel = "N",
      description = "The present generation as you have seen it. The consumer is moved from this"
          + " one only.")
  private @Nullable Integer expected;

  @Option(names = "--execute", description = "Moves the consumer.")
  private boolean execute;

  @ArgGroup(exclusive = false)
  private @Nullable GroupOptions group;

  @Mixin
  private StoreOptions store;

  @Mixin
  private OutputOptions output;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    output.refuseUnwritable();
    if (execute && expected == null) {
      throw new ParameterException(
          spec.commandLine(), "--execute needs --expected N, the present generation");
    }
    String name = consumer.consumer();
    try (Opened opened = store.open(CONNECTIONS, execute)) {
      int current = Generations.current(opened.store(), name);
      output.print("consumer " + name + ", generation " + current + "\n");
      ReportJson json = new ReportJson().withGeneration(name, current);
      int code = expected == null ? HapaxCommand.SUCCESS : move(opened.store(), expected, json);
      output.write(json);
      if (current == 0) {
        Doubts.about(opened.store(), name)
            .ifPresent(doubt -> output.print("Note: " + doubt + "\n"));
      }
      return code;
    }
  }

  private int move(DedupStore marks, int from, ReportJson json) throws Exception {
    if (group != null) {
      group.requireStopped(consumer.consumer(), output.patience());
    }
    String name = consumer.consumer();
    GenerationMove answer =
        execute ? Generations.advance(marks, name, from) : GenerationForecast.of(marks, name, from);
    json.with(answer, execute);
    output.print(text(answer));
    return answer instanceof Moved ? HapaxCommand.SUCCESS : HapaxCommand.NOT_FINISHED;
  }

  private String text(GenerationMove answer) {
    if (answer instanceof Moved moved) {
      return execute
          ? "It was moved to generation " + moved.generation()
              + ": messages that are delivered again run again. Reset the broker's position,"
              + " then start the service.\n"
          : "It would be moved to generation " + moved.generation()
              + ". This was a dry run, nothing was moved. --execute moves it.\n";
    } else if (answer instanceof GroupRuns runs) {
      StringBuilder text = new StringBuilder(
          "Nothing was moved: the consumer is running. Stop all of its instances. After a kill"
              + " wait for the leases:\n");
      runs.leased().forEach(mark -> text.append("  " + MarkText.held(mark) + "\n"));
      return text.toString();
    } else if (answer instanceof Unexpected unexpected) {
      return "Nothing was moved: it is in generation " + unexpected.current() + " and not in "
          + expected + ".\n";
    }
    throw new IllegalStateException("answered " + answer);
  }
}
