package io.hapax.operations.rocketmq;

import io.hapax.operations.AuditContract;
import io.hapax.operations.RedeliveryContract;
import io.hapax.operations.RedriveContract;
import io.hapax.operations.ReplayContract;
import org.junit.jupiter.api.Nested;

/** The operations on a real RocketMQ broker. */
class RocketMqContractsTest {

  @Nested
  class Audits extends AuditContract {
    Audits() {
      super(RocketMqTestBroker.INSTANCE);
    }
  }

  @Nested
  class Replays extends ReplayContract {
    Replays() {
      super(RocketMqTestBroker.INSTANCE);
    }
  }

  @Nested
  class Redrives extends RedriveContract {
    Redrives() {
      super(RocketMqTestBroker.INSTANCE);
    }
  }

  @Nested
  class Redeliveries extends RedeliveryContract {
    Redeliveries() {
      super(RocketMqTestBroker.INSTANCE);
    }
  }
}
