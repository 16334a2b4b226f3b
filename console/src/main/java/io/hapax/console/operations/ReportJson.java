package io.hapax.console.operations;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.hapax.console.page.Texts;
import io.hapax.generation.GenerationMove;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.lookup.MessageAnswer;
import io.hapax.operations.lookup.MessageEvent;
import io.hapax.operations.lookup.Repair;
import io.hapax.operations.lookup.TopicSearch;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.FoundMessage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Writes the results of the command line and of the console as JSON. */
public final class ReportJson {

  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(SerializationFeature.INDENT_OUTPUT)
      .addModule(new SimpleModule().addSerializer(Text.class, ToStringSerializer.instance))
      .build();

  private final ObjectNode root = JSON.createObjectNode();

  /** Creates an empty report. */
  public ReportJson() {}

  /** {@return this report with an audit} */
  public ReportJson with(String name, AuditReport report) {
    ObjectNode node = JSON.valueToTree(report);
    node.put("wouldRunAgain", report.wouldRunAgain())
        .put("settled", report.settled())
        .put("skippable", report.skippable());
    report.doubt().ifPresent(why -> node.put("doubt", why.toString()));
    root.set(name, node);
    return this;
  }

  /** {@return this report with a replay} */
  public ReportJson with(ReplayPlan plan, boolean moved) {
    ObjectNode node = root.putObject("replay")
        .put("group", plan.group())
        .put("topic", plan.part().topic())
        .put("to", plan.to().text().toString())
        .put("again", plan.again())
        .put("skipped", plan.skipped())
        .put("moved", moved);
    node.set("moves", JSON.valueToTree(plan.moves()));
    return this;
  }

  /** {@return this report with a redrive} */
  public ReportJson with(RedriveReport report) {
    ObjectNode node = root.putObject("redrive")
        .put("consumer", report.consumer())
        .put("executed", report.executed())
        .put("records", report.records())
        .put("published", report.published())
        .put("withoutMark", report.unmarked())
        .put("notDead", report.notDead())
        .put("refused", report.refused());
    report.oldest().ifPresent(age -> node.put("oldest", age.toString()));
    report.missing().forEach(node.putArray("missing")::add);
    for (RedriveSample sample : report.samples()) {
      ObjectNode one = node.withArray("samples")
          .addObject()
          .put("id", sample.record().name())
          .put("coordinates", sample.record().coordinates())
          .put("from", sample.record().metadata().coordinates())
          .put("kind", sample.record().metadata().kind())
          .put("detail", sample.record().metadata().detail())
          .put("inDoubt", sample.record().metadata().inDoubt());
      sample.age().ifPresent(age -> one.put("age", age.toString()));
      one.put("answer", sample.answer().getClass().getSimpleName())
          .put("why", sample.answer().why().toString());
    }
    return this;
  }

  /** {@return this report with the generation of a consumer} */
  public ReportJson withGeneration(String consumer, int current) {
    root.putObject("generation").put("consumer", consumer).put("current", current);
    return this;
  }

  /** {@return this report with the result of a move} Call it after {@link #withGeneration}. */
  public ReportJson with(GenerationMove answer, boolean executed) {
    ObjectNode node = root.withObject("/generation");
    boolean moves = answer instanceof GenerationMove.Moved;
    node.put("answer", answer.getClass().getSimpleName()).put("moved", executed && moves);
    if (answer instanceof GenerationMove.GroupRuns runs) {
      add(node, runs.leased());
    }
    return this;
  }

  /** {@return this report with marks} */
  public ReportJson with(String kind, List<Mark> marks, boolean complete) {
    ObjectNode node = root.withObject("/marks").putObject(kind);
    node.put("complete", complete);
    add(node, marks);
    return this;
  }

  /**
   * {@return this report with the result for one message} The refusal is empty if the change was or
   * would be made, and the resolution if the message was published again.
   */
  public ReportJson withMessage(
      String id, Optional<Text> refusal, Optional<Resolution> resolution, boolean executed) {
    ObjectNode node = root.putObject("message").put("id", id).put("executed", executed);
    resolution.ifPresent(it -> node.put("resolution", it.kind().name()).put("forced", it.forced()));
    refusal.ifPresent(why -> node.put("refused", why.toString()));
    return this;
  }

  private static void add(ObjectNode node, List<Mark> marks) {
    ArrayNode all = node.putArray("marks");
    for (Mark mark : marks) {
      all.addObject()
          .put("id", MessageNames.of(mark.key().id()))
          .put("state", mark.state().name())
          .put("coordinates", mark.claim().origin().coordinates())
          .put("owner", mark.claim().origin().owner())
          .put("attempt", mark.claim().attempt().number())
          .put("inDoubt", mark.claim().attempt().inDoubt())
          .put("token", mark.claim().token())
          .put("claimedAt", mark.claimedAt().toString())
          .put("until", mark.until().toString());
    }
  }

  /** {@return this report with a search of the topic} */
  public ReportJson with(TopicSearch search) {
    ObjectNode node =
        root.putObject("search").put("at", search.at().toString()).put("topic", search.topic());
    ArrayNode messages = node.putArray("messages");
    for (FoundMessage message : search.messages()) {
      ObjectNode one = messages
          .addObject()
          .put("coordinates", message.coordinates())
          .put("sentAt", message.sentAt().toString());
      search.acknowledged(message).ifPresent(it -> one.put("acknowledged", it));
    }
    return this;
  }

  /** {@return this report with one more answer about a message, and the commands of its repairs} */
  public ReportJson with(MessageAnswer answer, Function<Repair, String> command) {
    ObjectNode node = root.withArray("messages").addObject();
    node.put("id", answer.name())
        .put("scope", answer.scope())
        .put("verdict", answer.verdict().name())
        .put("open", answer.verdict().isOpen())
        .put("sentence", AnswerText.sentence(Texts.of("en"), answer));
    answer.lag().ifPresent(lag -> node.put("lag", lag));
    add(node, answer.mark().stream().toList());
    node.put("deadLetters", answer.letters().topic())
        .put("deadLettersComplete", answer.letters().complete());
    ArrayNode events = node.putArray("events");
    for (MessageEvent event : answer.events()) {
      ObjectNode one = events.addObject();
      event.at().ifPresent(at -> one.put("at", at.toString()));
      one.put("source", event.source().text())
          .put("event", event.kind())
          .put("place", event.place())
          .put("attempts", event.attempts())
          .put("who", event.who())
          .put("detail", event.detail().toString());
    }
    add(node.putArray("recommended"), answer.recommended(), command);
    add(node.putArray("others"), answer.others(), command);
    return this;
  }

  private static void add(ArrayNode node, List<Repair> repairs, Function<Repair, String> command) {
    repairs.forEach(
        it -> node.addObject().put("repair", it.text()).put("command", command.apply(it)));
  }

  /** {@return JSON that ends with a line break} */
  public String text() throws JsonProcessingException {
    return JSON.writeValueAsString(root) + "\n";
  }
}
