package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Executed;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transactions of messages that a handler changes, and that the engine cannot make again: it calls
 * the handler once in a delivery.
 */
class ObjectsWithoutBytesTest extends TransactionalFixture {

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<DeadLetter<StringBuilder>> letters = new CopyOnWriteArrayList<>();
  private Optional<IdempotentReceiver<StringBuilder>> receiver = Optional.empty();

  @AfterEach
  void closeReceiver() {
    receiver.ifPresent(IdempotentReceiver::close);
  }

  private IdempotentReceiver<StringBuilder> shop(TransactionalDedupStore<Connection> marks) {
    IdempotentReceiver<StringBuilder> shop = IdempotentReceiver.<StringBuilder>builder("orders")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text.toString())))
        .retry(RetrySettings.of(2, List.of(Duration.ofNanos(1))))
        .deadLetters(letters::add)
        .transactional(marks, TransactionalHandler.forEach((transaction, delivery) -> {
          String text = delivery.message().toString();
          seen.add(text);
          delivery.message().append(" changed");
          write(transaction, text);
          if (text.startsWith("bad")) {
            throw new IllegalStateException("no stock");
          }
        }));
    receiver = Optional.of(shop);
    return shop;
  }

  /** Delivers new objects, each in a lane of its own. */
  private static List<Outcome> deliver(IdempotentReceiver<StringBuilder> shop, String... texts)
      throws InterruptedException {
    List<Incoming<StringBuilder>> messages = new ArrayList<>();
    for (String text : texts) {
      messages.add(new Incoming<>(new StringBuilder(text), text, "at " + text, false));
    }
    return shop.receive(messages, PATIENCE);
  }

  @Test
  @DisplayName("invariants 10 and 14: a failing message rolls back its neighbours once")
  void they_are_redelivered_and_run_one_by_one() throws Exception {
    IdempotentReceiver<StringBuilder> shop = shop(store);

    assertThat(deliver(shop, "a", "bad", "b"))
        .allMatch(it -> it instanceof Deferred deferred
            && deferred.reason() == Reason.RETRY
            && deferred.after().isZero());
    assertThat(effects()).isEmpty();
    assertThat(store.find(List.of(MessageKey.of("orders", "bad"))).get(0)).isEmpty();

    assertThat(deliver(shop, "a", "bad", "b", "c"))
        .hasExactlyElementsOfTypes(Executed.class, Deferred.class, Executed.class, Executed.class);

    assertThat(deliver(shop, "bad", "d", "e"))
        .hasExactlyElementsOfTypes(Deferred.class, Executed.class, Executed.class);
    assertThat(letters).isEmpty(); // the handler has changed that object
    assertThat(deliver(shop, "bad")).hasOnlyElementsOfType(Outcome.DeadLettered.class);
    assertThat(letters).singleElement().satisfies(it -> {
      assertThat(it.message()).hasToString("bad");
      assertThat(it.attempts()).isEqualTo(2);
      assertThat(it.error()).isPresent();
    });
    assertThat(effects()).containsExactly("a", "b", "c", "d", "e");
    assertThat(seen).filteredOn("bad"::equals).hasSize(3); // once with others, and two attempts
    assertThat(seen).noneMatch(it -> it.contains("changed"));

    int before = seen.size();
    assertThat(deliver(shop, "f", "g")).hasOnlyElementsOfType(Executed.class);
    assertThat(seen.subList(before, seen.size())).containsExactly("f", "g");
  }

  @ParameterizedTest
  @MethodSource
  void they_are_redelivered_after_a_call_whose_transaction_was_rolled_back(RuntimeException failure)
      throws Exception {
    IdempotentReceiver<StringBuilder> shop = shop(failingOnceAfterTheHandler(failure));

    assertThat(deliver(shop, "a", "b"))
        .allMatch(it -> it instanceof Deferred deferred
            && deferred.reason() == Reason.RETRY
            && deferred.after().isZero());
    assertThat(effects()).isEmpty();
    assertThat(deliver(shop, "a", "b")).hasOnlyElementsOfType(Executed.class);

    assertThat(effects()).containsExactly("a", "b");
    assertThat(seen).containsExactly("a", "b", "a", "b");
  }

  static List<RuntimeException>
      they_are_redelivered_after_a_call_whose_transaction_was_rolled_back() {
    return List.of(
        new StoreContentionException("a deadlock", new SQLException("40P01")),
        new CommitUnknownException("the connection broke", new SQLException("08007")),
        new StoreException("the server ended the transaction", new SQLException("08006")));
  }

  @Test
  void a_single_one_is_redelivered_too() throws Exception {
    IdempotentReceiver<StringBuilder> shop = shop(failingOnceAfterTheHandler(
        new CommitUnknownException("the connection broke", new SQLException("08007"))));

    assertThat(deliver(shop, "a")).hasOnlyElementsOfType(Deferred.class);
    await().atMost(PATIENCE).until(() -> deliver(shop, "a").get(0) instanceof Executed);

    assertThat(effects()).containsExactly("a");
    assertThat(seen).containsExactly("a", "a");
    assertThat(letters).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private TransactionalDedupStore<Connection> failingOnceAfterTheHandler(RuntimeException failure) {
    AtomicBoolean armed = new AtomicBoolean(true);
    return (TransactionalDedupStore<Connection>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {TransactionalDedupStore.class},
        (self, method, args) -> {
          Object[] passed = args;
          if (method.getName().equals("runOnce")) {
            var work = (TransactionalDedupStore.BatchWork<Connection, Exception>) args[1];
            passed = new Object[] {
              args[0],
              (TransactionalDedupStore.BatchWork<Connection, Exception>) (transaction, answers) -> {
                work.run(transaction, answers);
                if (armed.getAndSet(false)) {
                  throw failure;
                }
              }
            };
          }
          try {
            return method.invoke(store, passed);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
