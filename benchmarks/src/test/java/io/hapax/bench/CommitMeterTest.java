package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CommitMeterTest {

  @Test
  void the_first_records_of_each_partition_do_not_count() throws Exception {
    CommitMeter meter = new CommitMeter(2, 50, 1_000);
    commit(meter, 0, 60);
    commit(meter, 0, 100);
    commit(meter, 1, 60);
    commit(meter, 0, 400);
    commit(meter, 1, 600);

    assertThat(meter.rate(Duration.ofSeconds(10))).isPositive();
    assertThat(meter.count()).isEqualTo(840);
  }

  @Test
  void a_commit_after_the_limit_does_not_count() throws Exception {
    CommitMeter meter = new CommitMeter(1, 1, 1_000);
    commit(meter, 0, 10);
    commit(meter, 0, 20);
    meter.awaitEnd(Duration.ZERO);

    commit(meter, 0, 1_000);

    assertThat(meter.count()).isEqualTo(10);
  }

  @Test
  void all_records_count_if_the_first_commit_has_them() throws Exception {
    CommitMeter meter = new CommitMeter(1, 1, 20);
    commit(meter, 0, 20);

    assertThat(meter.rate(Duration.ofSeconds(10))).isPositive();
    assertThat(meter.count()).isEqualTo(20);
  }

  private static void commit(CommitMeter meter, int partition, long next) {
    meter.committed(Map.of(new TopicPartition("orders", partition), new OffsetAndMetadata(next)));
  }
}
