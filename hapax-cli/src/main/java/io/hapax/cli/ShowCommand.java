package io.hapax.cli;

import io.hapax.cli.StoreOptions.Opened;
import io.hapax.console.action.ActionLog;
import io.hapax.console.operations.AnswerText;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.page.Formats;
import io.hapax.console.page.Texts;
import io.hapax.operations.Broker;
import io.hapax.operations.lookup.MessageAnswer;
import io.hapax.operations.lookup.MessageEvent;
import io.hapax.operations.lookup.MessageLookup;
import io.hapax.operations.lookup.Repair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what happened to one message. */
@Command(
    name = "show",
    sortOptions = false,
    description = {
      "Shows what happened to one message, and whether anything has to be done: its mark, its"
          + " dead-letter records, what users of the console did with it, and the command that"
          + " repairs it. It changes nothing.",
      ""
    },
    footer = {
      "",
      "Exit code 0: nothing has to be done. 1: something has to be done or found out.",
      "2: a bad option. 3: the command failed."
    })
final class ShowCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 1;
  private static final Texts TEXTS = Texts.of("en");
  private static final Set<String> OF_THE_BROKER =
      Set.of("--broker", "--bootstrap", "--broker-config", "--id", "--format");

  @Parameters(
      paramLabel = "ID",
      description = "The message id, or 0x and its bytes in hexadecimal. It must be whole: a store"
          + " keeps digests of ids.")
  private String id;

  @Mixin
  private ConsumerOptions consumer;

  @ArgGroup(exclusive = false)
  private @Nullable Source source;

  @Mixin
  private TopicOptions topics;

  @Option(
      names = "--search",
      description = "Also reads the whole topic, to find the message there.")
  private boolean search;

  @Option(
      names = "--action-log",
      paramLabel = "FILE",
      defaultValue = "${sys:user.home}/.hapax/console-actions.jsonl",
      description = "The action log of the console, if there is one"
          + " (.hapax/console-actions.jsonl in your home).")
  private Path actionLog;

  @Mixin
  private StoreOptions store;

  @Mixin
  private OutputOptions output;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    output.refuseUnwritable();
    if (source == null) {
      topics.refuseWithoutBroker();
    }
    if (id.isBlank() || (search && topics.topic.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), id.isBlank() ? "ID is blank" : "--search needs --topic");
    }
    try (Opened opened = store.open(CONNECTIONS, false)) {
      Deployment deployment = Deployment.of(consumer.consumer(), opened.store());
      if (source != null) {
        Broker broker = source.connect(consumer, output.patience());
        deployment = deployment.with(broker, topics.topic, topics.group, topics.letters);
      }
      MessageLookup lookup = new MessageLookup(
          opened.store(),
          consumer.consumer(),
          new ShownSources(deployment, ActionLog.existing(actionLog), search));
      return shown(lookup.of(id));
    }
  }

  private int shown(List<MessageAnswer> answers) throws Exception {
    ReportJson json = new ReportJson();
    for (MessageAnswer answer : answers) {
      output.print(text(answer));
      json.with(answer, repair -> command(answer, repair));
    }
    output.write(json);
    return answers.stream().anyMatch(it -> it.verdict().isOpen())
        ? HapaxCommand.ATTENTION_NEEDED
        : HapaxCommand.SUCCESS;
  }

  private String text(MessageAnswer answer) {
    StringBuilder text = new StringBuilder(Formats.visible(answer.name()) + ": ");
    text.append(AnswerText.sentence(TEXTS, answer));
    answer.lag().ifPresent(lag -> text.append(' ').append(TEXTS.get("id.lag", lag)));
    text.append('\n');
    for (MessageEvent event : answer.events()) {
      text.append(String.format(
          "  %s  %-15s %s\n",
          event.at().map(Formats::time).orElse("unknown"),
          TEXTS.get("source." + event.source().text()),
          AnswerText.of(TEXTS, event)));
    }
    if (!answer.letters().topic().isEmpty()) {
      text.append("dead-letter records of it in " + answer.letters().topic() + ": "
          + answer.letters().records().size() + "\n");
    }
    append(text, "recommended", answer, answer.recommended());
    append(text, "possible", answer, answer.others());
    if (!search && answer.mark().isEmpty() && !topics.topic.isEmpty()) {
      text.append("to search the topic:\n  ")
          .append(line("show", Set.of(), answer.name(), "--search") + "\n");
    }
    return text.toString();
  }

  private void append(
      StringBuilder text, String title, MessageAnswer answer, List<Repair> repairs) {
    for (Repair repair : repairs) {
      text.append(title + ", as a dry run: " + TEXTS.get("action." + repair.text()) + "\n  "
          + command(answer, repair) + "\n");
    }
  }

  /** Returns the command line of a repair, which is a dry run. */
  private String command(MessageAnswer answer, Repair repair) {
    String name = answer.name();
    return switch (repair) {
      case REOPEN -> resolve(name, "reopen");
      case REOPEN_ANY_PAYLOAD -> resolve(name, "reopen_any_payload");
      case DONE -> resolve(name, "force_done");
      case FORGET -> resolve(name, "forget");
      case REDELIVER -> line("stale", Set.of(), "--message", name);
      case REDRIVE ->
        line(
            "redrive",
            Set.of(),
            "--topic",
            answer.letters().topic(),
            "--message",
            name,
            "--to",
            topics.topic.isEmpty() ? "TOPIC" : topics.topic);
      case DEAD_LETTER -> throw new IllegalStateException("no command dead-letters a message");
    };
  }

  private String resolve(String name, String decision) {
    return line("stale", OF_THE_BROKER, "--message", name, "--resolve", decision);
  }

  /** Returns a command line, with those options of this one that the other command has. */
  private String line(String command, Set<String> without, String... arguments) {
    CommandSpec other =
        Objects.requireNonNull(spec.parent().subcommands().get(command)).getCommandSpec();
    List<String> words = new ArrayList<>(List.of("./hapax", command));
    words.addAll(List.of(arguments));
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      String name = option.longestName();
      boolean passed = other.findOption(name) != null
          && !words.contains(name)
          && !without.contains(name)
          && !name.equals("--json");
      if (passed) {
        words.add(name);
        words.addAll(option.arity().max() == 0 ? List.of() : option.originalStringValues());
      }
    }
    return String.join(" ", words.stream().map(ShowCommand::quoted).toList());
  }

  /** Quotes a word for a shell, if it has other characters than addresses and names. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
