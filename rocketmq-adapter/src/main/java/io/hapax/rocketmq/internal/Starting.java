package io.hapax.rocketmq.internal;

import java.util.Optional;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** A client consumes before it asks for routes, and once went on consuming when that failed. */
public final class Starting {

  public interface Steps {
    void take()
        throws MQClientException, RemotingException, MQBrokerException, InterruptedException;
  }

  private Starting() {}

  /** If a step throws, ends the client before it passes the error on. */
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

  /** A start, a producer, and a look-up of brokers have no other way to say it. */
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
