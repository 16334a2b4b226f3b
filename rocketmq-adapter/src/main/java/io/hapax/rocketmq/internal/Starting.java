package io.hapax.rocketmq.internal;

import java.util.Optional;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * Starts a client, and shuts it down if a step of the start fails. A client consumes, and is known
 * to the brokers, before it asks the name server for routes. Before RocketMQ 5.3.2 it went on
 * consuming when that failed.
 */
public final class Starting {

  public interface Steps {
    void take()
        throws MQClientException, RemotingException, MQBrokerException, InterruptedException;
  }

  private Starting() {}

  /**
   * Takes the steps. If one throws, ends the client before it passes the error on.
   *
   * @throws MQClientException if the client cannot start, or brokers or name server do not answer
   */
  public static void orEnd(Steps steps, Runnable ending) throws MQClientException {
    try {
      steps.take();
    } catch (InterruptedException e) {
      end(ending, e);
      Thread.currentThread().interrupt();
      throw new MQClientException("interrupted while querying the brokers", e);
    } catch (RemotingException | MQBrokerException e) {
      end(ending, e);
      throw new MQClientException("the brokers do not answer the checks at start", e);
    } catch (IllegalStateException e) {
      end(ending, e);
      RemotingException lost = lostNameServer(e).orElseThrow(() -> e);
      throw new MQClientException("the name server does not answer: " + lost.getMessage(), e);
    } catch (MQClientException | RuntimeException | Error e) {
      end(ending, e);
      throw e;
    }
  }

  /**
   * Returns why a name server did not answer, where the client has no other way to say it: a start,
   * a producer, and whatever looks for the brokers of a topic.
   */
  public static Optional<RemotingException> lostNameServer(IllegalStateException e) {
    return e.getCause() instanceof RemotingException lost ? Optional.of(lost) : Optional.empty();
  }

  private static void end(Runnable ending, Throwable failure) {
    try {
      ending.run();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }
}
