package io.hapax.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.Text;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.InMemoryDedupStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class HapaxEndpointTest {

  private static final String ID = "orders/order-1";

  private final InMemoryDedupStore store = new InMemoryDedupStore();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  private final Receivers receivers = new Receivers(beans);
  private final HapaxEndpoint endpoint = new HapaxEndpoint(receivers, Map::of);

  HapaxEndpointTest() {
    beans.registerSingleton("store", store);
  }

  @AfterEach
  void close() {
    receivers.close();
  }

  @Test
  void listeners_are_described() {
    leaveDead("order-1");

    assertThat(endpoint.overview().consumers().get("billing"))
        .singleElement()
        .satisfies(listener -> {
          assertThat(listener.listener()).isEqualTo("Billing.on");
          assertThat(listener.mode()).isEqualTo("leased");
          assertThat(listener.store()).isEqualTo("InMemoryDedupStore");
          assertThat(listener.problems()).isEmpty();
          assertThat(listener.shadow()).isNull();
        });
  }

  @Test
  void the_report_of_a_shadow_listener_is_shown() throws Exception {
    ListenerDefinition shadow = new ListenerDefinition(
        "Billing.on",
        "billing",
        "key",
        "value",
        Mode.LEASED,
        "",
        "rerun",
        true,
        Optional.empty(),
        Consumer.DEFAULT);
    submit(Text.open(receivers, shadow, delivery -> {}), "order-1");

    await()
        .untilAsserted(() -> assertThat(billing().shadow())
            .isNotNull()
            .satisfies(report -> assertThat(report.marked()).isEqualTo(1)));
    assertThat(billing().mode()).isEqualTo("shadow");
    assertThat(new ObjectMapper().writeValueAsString(endpoint.overview()))
        .contains("\"neededRetention\":\"PT0S\"");
  }

  @Test
  void dead_marks_are_listed_without_payload() {
    leaveDead("order-1");

    ConsumerMarks marks = marks(null);
    assertThat(marks.limit()).isEqualTo(20);
    assertThat(marks.stale()).isEmpty();
    assertThat(marks.dead()).singleElement().satisfies(mark -> {
      assertThat(mark.id()).isEqualTo(ID);
      assertThat(mark.coordinates()).isEqualTo("orders-0@order-1");
      assertThat(mark.reason()).contains("the order is cancelled");
      assertThat(mark.toString()).doesNotContain("value of order-1");
    });
  }

  @Test
  void a_list_is_bounded() {
    leaveDead("order-1");
    leaveDead("order-2");

    assertThat(marks(1).dead()).hasSize(1);
    assertThat(marks(5000).limit()).isEqualTo(1000);
  }

  @Test
  void one_mark_is_shown_by_its_id() {
    leaveDead("order-1");

    assertThat(endpoint.marks("billing", ID, null))
        .isInstanceOfSatisfying(
            MarkDescription.class, mark -> assertThat(mark.state()).isEqualTo("DEAD"));
    assertThat(endpoint.marks("billing", "orders/unknown", null)).isNull();
    assertThat(endpoint.marks("shipping", ID, null)).isNull();
  }

  @Test
  void an_id_that_is_long_or_no_text_can_be_looked_up_again() {
    leaveDead("x".repeat(200));

    String shown = marks(null).dead().get(0).id();
    assertThat(shown).hasSize(207);
    assertThat(endpoint.marks("billing", shown, null)).isInstanceOf(MarkDescription.class);
  }

  @Test
  void problems_of_a_container_are_those_of_its_listeners() {
    Problem down = new Problem(Problem.Kind.RECEIVER_DOWN, "", Instant.EPOCH, "it has ended");

    leaveDead("order-1");
    ProblemSource problems = () -> Map.of("billing", List.of(down), "shop-jobs", List.of());
    var overview = new HapaxEndpoint(receivers, problems).overview();

    assertThat(
            Objects.requireNonNull(overview.consumers().get("billing")).get(0).problems())
        .singleElement()
        .asString()
        .contains("RECEIVER_DOWN", "it has ended");
    assertThat(overview.executors()).containsOnlyKeys("shop-jobs");
  }

  private ListenerDescription billing() {
    return Objects.requireNonNull(endpoint.overview().consumers().get("billing"))
        .get(0);
  }

  private ConsumerMarks marks(@Nullable Integer limit) {
    return (ConsumerMarks) Objects.requireNonNull(endpoint.marks("billing", null, limit));
  }

  private void leaveDead(String id) {
    submit(
        Text.open(receivers, Text.settings("billing", Consumer.DEFAULT), delivery -> {
          throw new RejectedMessageException("the order is cancelled");
        }),
        id);
    MarkOperations marks = new MarkOperations(store, "billing");
    await()
        .until(() -> marks
            .find("orders/" + id)
            .filter(mark -> mark.state() == MarkState.DEAD)
            .isPresent());
  }

  private static void submit(IdempotentReceiver<Text> receiver, String id) {
    var unused = receiver.submit(List.of(Text.message(id)), (index, outcome) -> {});
  }
}
