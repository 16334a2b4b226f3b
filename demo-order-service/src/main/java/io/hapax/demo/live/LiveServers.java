package io.hapax.demo.live;

import io.hapax.console.operations.Deployment;
import io.hapax.console.trial.TrialLane;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.scene.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The servers of the live demo. They belong to the one who starts it, as in a campaign. */
public interface LiveServers {

  /** Starts a consumer: one of the two with Hapax, or the plain loop in a group of its own. */
  ConsumerProcess start(TrialLane lane) throws IOException;

  /** Returns the mode of the consumers with Hapax. */
  Mode mode();

  /** Returns the name of the broker. */
  String brokerName();

  /** Returns the longest time until the broker notices a killed consumer. */
  Duration memberTimeout();

  /** Returns a time that is longer than lease, session and idle transaction of a consumer. */
  Duration freeze();

  /** Returns the servers as scenes need them. */
  Stage stage();

  /** Returns the consumers with Hapax as the console knows them. */
  Deployment deployment();

  /** Sends orders, and returns when the broker has stored all of them. */
  void publish(List<Order> orders) throws IOException, InterruptedException;

  /** Counts the messages that the group of a lane has not acknowledged. */
  long lag(TrialLane lane) throws IOException, InterruptedException;

  /** Resets the group of a lane to the beginning. It must have no members. */
  void rewind(TrialLane lane) throws InterruptedException;

  /** Kills all servers of the store, and returns what starts them again. */
  Runnable killStore();
}
