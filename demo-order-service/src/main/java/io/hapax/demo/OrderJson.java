package io.hapax.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Converts orders to JSON in UTF-8 and back. */
public final class OrderJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private OrderJson() {}

  public static byte[] write(Order order) {
    try {
      return MAPPER.writeValueAsBytes(order);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write order " + order.id(), e);
    }
  }

  public static Order read(byte[] json) {
    try {
      return MAPPER.readValue(json, Order.class);
    } catch (IOException e) {
      throw new UncheckedIOException("not an order", e);
    }
  }
}
