package io.hapax.demo.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Stage;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnStage.class)
class BareStateMachineTest {

  @Test
  void a_changed_state_hides_that_the_mail_was_never_sent(Servers servers) throws Exception {
    Stage stage = servers.stage();
    OrderStates states = new OrderStates(Duration.ZERO);
    List<String> mails = new ArrayList<>();
    try (Connection connection = stage.database().getConnection()) {
      OrderStates.create(connection);
      states.change(connection, OrderEvent.of("order-1", "CREATED", 0));

      OrderEvent paid = OrderEvent.of("order-1", "PAID", 0);
      states.change(connection, paid); // the process dies before it sends the mail
      int before = OrderStates.changes(connection).size();
      states.change(connection, paid);
      if (OrderStates.changes(connection).size() > before) {
        mails.add("order-1 is paid");
      }

      assertThat(OrderStates.state(connection, "order-1")).containsExactly("PAID");
      assertThat(mails).isEmpty();
    }
  }
}
