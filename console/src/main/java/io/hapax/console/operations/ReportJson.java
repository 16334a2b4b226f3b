package io.hapax.console.operations;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hapax.generation.GenerationMove;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.replay.ReplayPlan;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Writes the results of the command line and of the console as JSON. */
public final class ReportJson {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final ObjectNode root = JSON.createObjectNode();

  /** Creates an empty report. */
  public ReportJson() {}

  /** {@return this report with an audit} */
  public ReportJson with(String name, AuditReport report) {
    ObjectNode node = JSON.valueToTree(report);
    node.put("wouldRunAgain", report.wouldRunAgain()).put("settled", report.settled());
    report.doubt().ifPresent(why -> node.put("doubt", why));
    root.set(name, node);
    return this;
  }

  /** {@return this report with a replay} */
  public ReportJson with(ReplayPlan plan, boolean moved) {
    ObjectNode node = root.putObject("replay")
        .put("group", plan.group())
        .put("topic", plan.part().topic())
        .put("to", plan.to().toString())
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
          .put("id", sample.id())
          .put("coordinates", sample.coordinates())
          .put("from", sample.metadata().coordinates())
          .put("kind", sample.metadata().kind())
          .put("detail", sample.metadata().detail())
          .put("inDoubt", sample.metadata().inDoubt());
      sample.age().ifPresent(age -> one.put("age", age.toString()));
      one.put("answer", sample.answer().getClass().getSimpleName())
          .put("why", sample.answer().why());
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
      String id, Optional<String> refusal, Optional<Resolution> resolution, boolean executed) {
    ObjectNode node = root.putObject("message").put("id", id).put("executed", executed);
    resolution.ifPresent(it -> node.put("resolution", it.kind().name()).put("forced", it.forced()));
    refusal.ifPresent(why -> node.put("refused", why));
    return this;
  }

  private static void add(ObjectNode node, List<Mark> marks) {
    ArrayNode all = node.putArray("marks");
    for (Mark mark : marks) {
      all.addObject()
          .put("id", whole(mark.key().id()))
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

  /**
   * {@return the id in the format of {@code --message}: not shortened, and {@code 0x} with
   * hexadecimal digits if it is not text that a form of a browser leaves as it is} A form changes
   * line ends, and spaces at the edges are removed.
   */
  public static String whole(Bytes id) {
    String text = new String(id.toByteArray(), StandardCharsets.UTF_8);
    boolean kept = Bytes.utf8(text).equals(id)
        && text.equals(text.strip())
        && text.chars().noneMatch(Character::isISOControl);
    return kept ? text : "0x" + HexFormat.of().formatHex(id.toByteArray());
  }

  /**
   * {@return the id of a dead-letter record's message in the same format; the name in the record if
   * its message has no usable id}
   */
  public static String whole(StoredDeadLetter record) {
    return record.id().map(ReportJson::whole).orElse(record.metadata().messageId());
  }

  /** {@return JSON that ends with a line break} */
  public String text() throws JsonProcessingException {
    return JSON.writeValueAsString(root) + "\n";
  }
}
