package io.hapax.demo.live;

import io.hapax.console.operations.Deployment;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.scene.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The servers of the live demo. They belong to the one who starts it, as in a campaign. */
public interface LiveServers {

  /** The group of the naive consumer. */
  String NAIVE_GROUP = "naive";

  /** Starts a consumer: one of the two with Hapax, or the naive one in a group of its own. */
  ConsumerProcess start(boolean hapax) throws IOException;

  /** Returns the mode of the consumers with Hapax. */
  Mode mode();

  /** Returns a time that is longer than lease, session and idle transaction of a consumer. */
  Duration freeze();

  /** Returns the servers as scenes need them. */
  Stage stage();

  /** Returns the consumers with Hapax as the console knows them. */
  Deployment deployment();

  /** Sends orders, and returns when the broker has stored all of them. */
  void publish(List<Order> orders) throws IOException, InterruptedException;

  /** Resets a group without members to the beginning. */
  void rewind(String group) throws InterruptedException;

  /** Kills all servers of the store, and returns what starts them again. */
  Runnable killStore();
}
