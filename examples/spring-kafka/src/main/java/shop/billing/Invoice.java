package shop.billing;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.math.BigDecimal;

/** An invoice. Its table has no unique constraint on the order, so each run of the listener shows. */
@Entity
public class Invoice {

  @Id
  @GeneratedValue
  private Long id;

  private String orderId;
  private String customer;
  private BigDecimal amount;

  protected Invoice() {}

  private Invoice(String orderId, String customer, BigDecimal amount) {
    this.orderId = orderId;
    this.customer = customer;
    this.amount = amount;
  }

  static Invoice of(Order order) {
    return new Invoice(order.id(), order.customer(), order.amount());
  }

  public String getOrderId() {
    return orderId;
  }
}
