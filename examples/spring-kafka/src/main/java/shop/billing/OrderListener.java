package shop.billing;

import io.hapax.spring.Idempotent;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Writes an invoice for each order. Only the annotation @Idempotent is new. */
@Component
class OrderListener {

  private final InvoiceRepository invoices;

  OrderListener(InvoiceRepository invoices) {
    this.invoices = invoices;
  }

  @KafkaListener(topics = "orders", groupId = "billing")
  @Idempotent(id = "header:order-id")
  void on(Order order) {
    invoices.save(Invoice.of(order)); // the same transaction as the mark
  }
}
