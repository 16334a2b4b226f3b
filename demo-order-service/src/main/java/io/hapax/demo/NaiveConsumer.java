package io.hapax.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * The loop that everybody writes first: poll, take each order into effect, commit the poll's
 * offsets. At least once: a producer's duplicate, a crash in mid-batch and a replay all repeat
 * effects.
 */
final class NaiveConsumer {

  private final DataSource database;
  private final Reports reports;
  private final Brake brake;
  private final long pid = ProcessHandle.current().pid();

  NaiveConsumer(DataSource database, Reports reports, Brake brake) {
    this.database = database;
    this.reports = reports;
    this.brake = brake;
  }

  void run(Map<String, Object> properties, ParentWatch parent)
      throws SQLException, InterruptedException {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(Topic.NAME));
      reports.ready(pid);
      while (!parent.stopped()) {
        List<ConsumerRecord<String, byte[]>> batch = new ArrayList<>();
        consumer.poll(Duration.ofMillis(100)).forEach(batch::add);
        if (!batch.isEmpty()) {
          handle(batch);
          consumer.commitSync();
          batch.forEach(record -> reports.ended(place(record), Reports.Ending.EXECUTED));
        }
      }
    }
  }

  private void handle(List<ConsumerRecord<String, byte[]>> batch)
      throws SQLException, InterruptedException {
    List<Order> orders =
        batch.stream().map(record -> OrderJson.read(record.value())).toList();
    List<Reports.InFlight> inFlight = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      inFlight.add(new Reports.InFlight(place(batch.get(i)), orders.get(i).id()));
    }
    reports.started(inFlight);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < orders.size(); i++) {
        Order order = orders.get(i);
        Shop.apply(
            connection, List.of(new Effect(order, new LedgerRow(order.id(), 0, 0, false, pid))));
        connection.commit();
        brake.passed(1);
        if (i == orders.size() / 2) {
          brake.hold();
        }
      }
    }
  }

  private static String place(ConsumerRecord<?, ?> record) {
    return record.topic() + '-' + record.partition() + '@' + record.offset();
  }
}
