package io.hapax.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/** An order that handlers change, as applications do. */
final class Order {

  final String id;
  String status = "NEW";

  Order(String id) {
    this.id = id;
  }

  @Override
  public String toString() {
    return id + ": " + status;
  }

  /** Reads the id. */
  public static class Reader implements Deserializer<Order> {

    @Override
    public Order deserialize(String topic, byte[] data) {
      return new Order(new String(data, StandardCharsets.UTF_8));
    }
  }

  /** Writes all that is known. */
  public static final class Writer implements Serializer<Order> {

    @Override
    public byte[] serialize(String topic, Order order) {
      return order.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
