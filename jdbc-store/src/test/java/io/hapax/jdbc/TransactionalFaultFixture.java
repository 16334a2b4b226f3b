package io.hapax.jdbc;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.TransactionalDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Receivers in transactional mode on a durable H2 file, and a store that misbehaves on demand. */
abstract class TransactionalFaultFixture extends TransactionalFixture {

  @Override
  ReceiverBuilder<String> builder() {
    return super.builder()
        .id(text -> Optional.of(Bytes.utf8(text.split("=", 2)[0])))
        .drainTimeout(PATIENCE);
  }

  IdempotentReceiver<String> receiver(
      ReceiverBuilder<String> builder, TransactionalHandler.Single<String, Connection> handler) {
    return open(builder.transactional(store, TransactionalHandler.forEach(handler)));
  }

  interface Call {
    Object go() throws Throwable;
  }

  interface Fault {
    Object through(String verb, List<?> items, Call call) throws Throwable;
  }

  @SuppressWarnings("unchecked")
  TransactionalDedupStore<Connection> faulty(Fault fault) {
    return (TransactionalDedupStore<Connection>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {TransactionalDedupStore.class},
        (self, method, args) -> {
          if (method.getName().equals("hashCode")) {
            return 1;
          }
          if (method.getName().equals("equals")) {
            return self == args[0];
          }
          List<?> items =
              args != null && args.length > 0 && args[0] instanceof List<?> list ? list : List.of();
          Call call = () -> {
            try {
              return method.invoke(store, args);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          };
          boolean reachesTheDatabase = !items.isEmpty() || !method.getName().equals("runOnce");
          return reachesTheDatabase ? fault.through(method.getName(), items, call) : call.go();
        });
  }

  List<Outcome> receive(Fault fault, List<Incoming<String>> messages) throws Exception {
    return open(builder()
            .transactional(
                faulty(fault),
                TransactionalHandler.forEach((tx, delivery) -> write(tx, delivery.message()))))
        .receive(messages, PATIENCE);
  }

  static boolean holds(List<?> requests, String id) {
    return requests.stream()
        .anyMatch(it -> ((ClaimRequest) it).key().equals(MessageKey.of("orders", id)));
  }

  /** The first call of the verb does not tell whether it committed. */
  static Fault unknownOnce(String unknown, boolean committed) {
    AtomicBoolean armed = new AtomicBoolean(true);
    return (verb, items, call) -> {
      if (!verb.equals(unknown) || !armed.getAndSet(false)) {
        return call.go();
      }
      if (committed) {
        call.go();
      }
      throw new CommitUnknownException("the connection broke", new SQLException("08007"));
    };
  }
}
