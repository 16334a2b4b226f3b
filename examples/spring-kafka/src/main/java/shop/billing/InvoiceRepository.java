package shop.billing;

import org.springframework.data.jpa.repository.JpaRepository;

interface InvoiceRepository extends JpaRepository<Invoice, Long> {

  long countByOrderId(String orderId);
}
