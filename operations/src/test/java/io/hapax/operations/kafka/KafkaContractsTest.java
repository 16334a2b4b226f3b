package io.hapax.operations.kafka;

import io.hapax.operations.AuditContract;
import io.hapax.operations.RedeliveryContract;
import io.hapax.operations.ReplayContract;
import org.junit.jupiter.api.Nested;

/** The operations on a real Kafka broker. */
class KafkaContractsTest {

  @Nested
  class Audits extends AuditContract {
    Audits() {
      super(KafkaTestBroker.INSTANCE);
    }
  }

  @Nested
  class Replays extends ReplayContract {
    Replays() {
      super(KafkaTestBroker.INSTANCE);
    }
  }

  @Nested
  class Redeliveries extends RedeliveryContract {
    Redeliveries() {
      super(KafkaTestBroker.INSTANCE);
    }
  }
}
