package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.Marks;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.job.Job;
import io.hapax.console.kafka.OrderMessages;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Bytes;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Tests which of the selected messages a redelivery publishes. */
class MessageActionTest extends ActionFixture {

  private final Deployment deployment = topics.deployment(store, MessageActionTest::idOf);
  private final MessageAction action = new MessageAction(
      "redeliver",
      new io.hapax.console.data.Marks(deployment, false),
      jobs,
      fields -> new PublishAction(deployment, true));

  private static Optional<Bytes> idOf(ConsumerRecord<byte[], byte[]> message) {
    return OrderMessages.IDS.idOf(message).map(id -> {
      if (id.equals(Bytes.utf8("unreadable"))) {
        throw new IllegalStateException("too short");
      }
      return id;
    });
  }

  /** Publishes a message, and leaves a mark in doubt. */
  private void doubt(String id) throws Exception {
    runs(id, topics.publish(id));
  }

  private void runs(String id, long offset) {
    Marks.inDoubt(store, List.of(Marks.request(id, topics.orders() + "-0@" + offset)));
  }

  @Test
  void messages_that_cannot_be_read_do_not_stop_the_others() throws Exception {
    List<String> ids = List.of("unreadable", "0x61", "b", "a");
    for (String id : ids) {
      doubt(id);
    }
    Job dryRun = dryRun(action, Map.of("id", ids));
    assertThat(dryRun.view().text().toString())
        .contains("4 messages: 2 possible, 2 refused")
        .contains("it has no id", "0x61 names two messages");

    ended(plans.get(0).execution().execute());
    assertThat(topics.ids()).containsExactly("unreadable", "0x61", "b", "a", "b", "a");
  }

  @Test
  void a_message_that_ran_since_the_dry_run_is_not_published() throws Exception {
    doubt("a");
    Fields fields = new Fields(Map.of("id", List.of("a")));
    Planned planned = (Planned) action.plan(fields, plan -> "plan");
    runs("a", 0);

    assertThat(planned.execution().execute()).isEqualTo(new Refused(Text.of("mark.changed-since")));
    assertThat(topics.ids()).containsExactly("a");
  }
}
