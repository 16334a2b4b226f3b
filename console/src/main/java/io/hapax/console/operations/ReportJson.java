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
import io.hapax.operations.audit.AuditSample;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.replay.ReplayMove;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.ScannedRange;
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

  /**
   * Adds an audit.
   *
   * @param name the name of the node
   * @param report the audit
   * @return this
   */
  public ReportJson with(String name, AuditReport report) {
    ObjectNode node = root.putObject(name);
    AuditReport.Ids ids = report.ids();
    node.put("consumer", report.consumer());
    node.put("messages", report.messages());
    node.put("missingIds", report.missingIds());
    node.put("conflicts", report.conflicts());
    node.put("duplicates", report.duplicates());
    node.put("wouldRunAgain", report.wouldRunAgain());
    node.put("settled", report.settled());
    report.doubt().ifPresent(why -> node.put("doubt", why));
    node.putObject("ids")
        .put("distinct", ids.distinct())
        .put("done", ids.done())
        .put("inFlight", ids.inFlight())
        .put("stale", ids.stale())
        .put("retry", ids.retry())
        .put("dead", ids.dead())
        .put("unknown", ids.unknown())
        .put("conflicting", ids.conflicting())
        .put("inDoubt", ids.inDoubt());
    for (ScannedRange range : report.ranges()) {
      node.withArray("ranges")
          .addObject()
          .put("place", range.place())
          .put("from", range.from())
          .put("to", range.to());
    }
    for (AuditSample sample : report.samples()) {
      node.withArray("samples")
          .addObject()
          .put("finding", sample.finding().name())
          .put("id", sample.id())
          .put("coordinates", sample.coordinates())
          .put("detail", sample.detail());
    }
    for (AuditReport.FrequentId id : report.frequent()) {
      node.withArray("frequent").addObject().put("id", id.id()).put("messages", id.messages());
    }
    ObjectNode other =
        node.putObject("otherHeaders").put("ids", report.otherHeaders().ids());
    report.otherHeaders().samples().forEach(other.putArray("samples")::add);
    return this;
  }

  /**
   * Adds a replay.
   *
   * @param plan the plan
   * @param moved whether the group was moved
   * @return this
   */
  public ReportJson with(ReplayPlan plan, boolean moved) {
    ObjectNode node = root.putObject("replay");
    node.put("group", plan.group());
    node.put("topic", plan.part().topic());
    node.put("to", plan.to().toString());
    node.put("again", plan.again());
    node.put("skipped", plan.skipped());
    node.put("moved", moved);
    for (ReplayMove move : plan.moves()) {
      ObjectNode one = node.withArray("moves").addObject().put("place", move.place());
      move.committed().ifPresent(offset -> one.put("committed", offset));
      one.put("to", move.to()).put("end", move.end());
    }
    return this;
  }

  /**
   * Adds a redrive.
   *
   * @param report the redrive
   * @return this
   */
  public ReportJson with(RedriveReport report) {
    ObjectNode node = root.putObject("redrive");
    node.put("consumer", report.consumer());
    node.put("executed", report.executed());
    node.put("records", report.records());
    node.put("published", report.published());
    node.put("withoutMark", report.unmarked());
    node.put("notDead", report.notDead());
    node.put("refused", report.refused());
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
      one.put("answer", sample.answer().getClass().getSimpleName());
      one.put("why", sample.answer().why());
    }
    return this;
  }

  /**
   * Adds the generation of a consumer.
   *
   * @param consumer the name of the consumer
   * @param current its generation
   * @return this
   */
  public ReportJson withGeneration(String consumer, int current) {
    root.putObject("generation").put("consumer", consumer).put("current", current);
    return this;
  }

  /**
   * Adds the result of a move. Call it after {@link #withGeneration}.
   *
   * @param answer the result
   * @param executed whether the move was executed
   * @return this
   */
  public ReportJson with(GenerationMove answer, boolean executed) {
    ObjectNode node = root.withObject("/generation");
    boolean moves = answer instanceof GenerationMove.Moved;
    node.put("answer", answer.getClass().getSimpleName()).put("moved", executed && moves);
    if (answer instanceof GenerationMove.GroupRuns runs) {
      add(node, runs.leased());
    }
    return this;
  }

  /**
   * Adds marks.
   *
   * @param kind the name of the node
   * @param marks the marks
   * @param complete whether the list is complete
   * @return this
   */
  public ReportJson with(String kind, List<Mark> marks, boolean complete) {
    ObjectNode node = root.withObject("/marks").putObject(kind);
    node.put("complete", complete);
    add(node, marks);
    return this;
  }

  /**
   * Adds the result for one message.
   *
   * @param id its id
   * @param refusal the reason of a refusal; empty if the change was or would be made
   * @param resolution the change of its mark; empty if the message was published again
   * @param executed whether the change was made
   * @return this
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
   * Returns the id in the format of {@code --message}: not shortened, and as bytes if it is not
   * text that a form of a browser leaves as it is. A form changes line ends, and spaces at the
   * edges are removed.
   *
   * @param id the id
   * @return text, or {@code 0x} and hexadecimal digits
   */
  public static String whole(Bytes id) {
    String text = new String(id.toByteArray(), StandardCharsets.UTF_8);
    boolean kept = Bytes.utf8(text).equals(id)
        && text.equals(text.strip())
        && text.chars().noneMatch(Character::isISOControl);
    return kept ? text : "0x" + HexFormat.of().formatHex(id.toByteArray());
  }

  /**
   * Returns the id of a dead-letter record's message in the same format.
   *
   * @param record the record
   * @return the id; the name that the record contains if its message has no usable id
   */
  public static String whole(StoredDeadLetter record) {
    return record.id().map(ReportJson::whole).orElse(record.metadata().messageId());
  }

  /**
   * Returns the text.
   *
   * @return JSON that ends with a line break
   * @throws JsonProcessingException never, because the report has plain values only
   */
  public String text() throws JsonProcessingException {
    return JSON.writeValueAsString(root) + "\n";
  }
}
