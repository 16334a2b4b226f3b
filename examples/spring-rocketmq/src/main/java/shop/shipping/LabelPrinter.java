package shop.shipping;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Prints shipping labels. A printed label cannot be rolled back. */
@Component
class LabelPrinter {

  private final List<String> printed = new CopyOnWriteArrayList<>();

  void print(Order order) {
    printed.add(order.id());
  }

  /** Returns the orders of the labels, in the order in which they were printed. */
  List<String> printed() {
    return List.copyOf(printed);
  }
}
