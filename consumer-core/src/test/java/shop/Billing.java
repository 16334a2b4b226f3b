package shop;

import io.hapax.Delivery;
import io.hapax.mark.Bytes;
import org.jspecify.annotations.NullMarked;

/** An application outside of the packages of Hapax, whose handlers fail. */
@NullMarked
public final class Billing {

  /** Where all of them fail. */
  public static final String PLACE = "shop.Billing.charge";

  private Billing() {}

  public static void handle(Delivery<String> delivery) {
    charge(delivery.messageId());
  }

  public static Bytes answer(Delivery<String> delivery) {
    charge(delivery.messageId());
    return Bytes.EMPTY;
  }

  private static void charge(String id) {
    throw new IllegalStateException("no answer for " + id);
  }
}
