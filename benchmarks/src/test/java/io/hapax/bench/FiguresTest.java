package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.KafkaLatencyTurn.Latency;
import io.hapax.bench.ThreadMeter.Cost;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FiguresTest {

  private static final Offset<Double> EXACTLY = Offset.offset(1e-9);
  private static final int MUCH = 64 * 1024 * 1024;

  @Test
  void the_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() {
    assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(5, 1, 9));
    assertThat(Spread.of(List.of(9.0, 1.0, 5.0, 7.0))).isEqualTo(new Spread(6, 1, 9));
  }

  @Test
  void the_spread_is_half_of_the_range_in_percent_of_the_median() {
    assertThat(new Spread(200, 190, 230).percent()).isEqualTo(10, EXACTLY);
  }

  @Test
  void a_store_has_the_floor_of_its_operation_and_the_limit_of_its_batch_too() {
    Map<Contender, Spread> measured = new HashMap<>();
    put(measured, Operation.FRESH, Role.FLOOR, 1, 10);
    put(measured, Operation.RUN_ONCE, Role.FLOOR, 1, 20);
    for (int batch : List.of(1, 500)) {
      put(measured, Operation.RUN_ONCE, Role.HAPAX, batch, 100 * batch);
      put(measured, Operation.RUN_ONCE, Role.LIMIT, batch, 200 * batch);
      put(measured, Operation.FRESH, Role.LIMIT, batch, 1);
    }

    StoreRates rates = new StoreRates(StoreKind.H2, 7, 3, measured);

    assertThat(rates.times(Operation.RUN_ONCE, Role.FLOOR, 500)).hasValue(2500.0);
    assertThat(rates.times(Operation.RUN_ONCE, Role.LIMIT, 1)).hasValue(0.5);
    assertThat(rates.times(Operation.RUN_ONCE, Role.LIMIT, 500)).hasValue(0.5);
    assertThat(StoreRates.table(List.of(1, 500), List.of(rates)))
        .containsPattern("h2 +runOnce +7 +3 +100 +50,000 +0% +20 +100,000 +2500.0 +50 %\n$");
  }

  @Test
  void a_consumer_is_compared_with_the_others_of_its_run() {
    Spread engine = new Spread(200, 200, 200);
    Spread receiver = new Spread(50, 50, 50);
    Map<KafkaSubject, Spread> rates =
        Map.of(KafkaSubject.ENGINE, engine, KafkaSubject.MEMORY, receiver);

    assertThat(new KafkaReport(rates, Map.of()).text())
        .containsPattern("KafkaReceiver, marks in memory +50 +0 % +25 % +\n");
  }

  @Test
  void an_engine_costs_what_is_left_when_the_store_is_taken_off() {
    Cost engine = new Cost(900, 800, 700).minus(new Cost(300, 200, 100));

    assertThat(engine).isEqualTo(new Cost(600, 600, 600));
  }

  @Test
  void percentiles_are_those_of_the_sorted_latencies() {
    long[] nanos = LongStream.range(0, 200).map(i -> (200 - i) * 1_000_000L).toArray();

    assertThat(Latency.of(nanos)).isEqualTo(new Latency(100, 198));
  }

  @Test
  void a_consumer_adds_its_latency_to_that_of_the_bare_loop() {
    KafkaReport report = new KafkaReport(
        Map.of(),
        Map.of(
            1_000,
            Map.of(KafkaSubject.BARE, new Latency(1, 3), KafkaSubject.REDIS, new Latency(1, 5.9))));

    assertThat(report.addedMillis(1_000, KafkaSubject.REDIS).orElseThrow()).isEqualTo(2.9, EXACTLY);
    assertThat(report.addedMillis(1_000, KafkaSubject.BARE)).isEmpty();
    assertThat(report.addedMillis(10_000, KafkaSubject.REDIS)).isEmpty();
  }

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

  @Test
  void a_thread_that_ends_takes_nothing_away_from_the_others() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread ending = new Thread(new FutureTask<>(() -> {
      assertThat(new byte[MUCH]).isNotEmpty();
      filled.countDown();
      mayEnd.await();
      return true;
    }));
    ending.start();
    filled.await();

    ThreadMeter meter = new ThreadMeter();
    mayEnd.countDown();
    ending.join();
    assertThat(new byte[MUCH / 2]).isNotEmpty();
    Cost cost = meter.cost(1);

    assertThat(cost.bytes()).isBetween(MUCH / 2.0, MUCH - 1.0);
    assertThat(cost.cpuNanos()).isPositive();
  }

  private static void put(
      Map<Contender, Spread> measured, Operation operation, Role role, int batch, double value) {
    measured.put(new Contender(operation, role, batch), new Spread(value, value, value));
  }
}
