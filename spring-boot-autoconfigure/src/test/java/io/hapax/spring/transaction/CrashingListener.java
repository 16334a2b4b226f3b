package io.hapax.spring.transaction;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.Bytes;
import io.hapax.spring.transaction.ledger.Entry;
import io.hapax.spring.transaction.ledger.EntryRepository;
import io.hapax.spring.transaction.ledger.Faults;
import io.hapax.spring.transaction.ledger.Ledger;
import io.hapax.spring.transaction.ledger.LedgerApplication;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A process that handles one message with JPA and with a template, and ends as if it were killed at
 * one point of it.
 */
final class CrashingListener {

  /** The exit code of a process that came to its point. */
  static final int CRASHED = 77;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ConfigurableApplicationContext application;
  private final Optional<CrashPoint> point;
  private final boolean probation;

  CrashingListener(
      ConfigurableApplicationContext application, Optional<CrashPoint> point, boolean probation) {
    this.application = application;
    this.point = point;
    this.probation = probation;
  }

  /** Takes url, user and password of a database, a message, its point and whether on probation. */
  public static void main(String[] arguments) throws Exception {
    TestDatabase.Access access = new TestDatabase.Access(arguments[0], arguments[1], arguments[2]);
    ConfigurableApplicationContext application = new SpringApplicationBuilder(
            LedgerApplication.class)
        .web(WebApplicationType.NONE)
        .properties(access.properties())
        .run();
    new CrashingListener(
            application,
            Optional.of(CrashPoint.valueOf(arguments[4])),
            Boolean.parseBoolean(arguments[5]))
        .receive(arguments[3]);
  }

  /** Handles a message until it may be acknowledged. */
  void receive(String message) throws Exception {
    prepare();
    try (IdempotentReceiver<String> receiver = receiver()) {
      List<Outcome> outcomes;
      do {
        outcomes =
            receiver.receive(List.of(new Incoming<>(message, "p0", "p0@1", probation)), PATIENCE);
      } while (!outcomes.get(0).mayAcknowledge());
    }
    crashAt(CrashPoint.FINISHED);
  }

  private IdempotentReceiver<String> receiver() {
    return IdempotentReceiver.<String>builder("ledger")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .lease(LeaseSettings.of(Duration.ofSeconds(2)))
        .transactional(
            application.getBean(JdbcDedupStore.class),
            TransactionalHandler.<String, Connection>forEach(
                (connection, delivery) -> handle(delivery.message())));
  }

  private void handle(String message) {
    crashAt(CrashPoint.MARKED);
    application.getBean(EntryRepository.class).save(new Entry(message));
    application.getBean(Ledger.class).write(message);
    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
      @Override
      public void beforeCommit(boolean readOnly) {
        crashAt(CrashPoint.CHECKED);
      }
    });
    if (point.isPresent()) {
      Faults faults = application.getBean(Faults.class);
      faults.beforeCommit = () -> crashAt(CrashPoint.COMMITTING);
      faults.afterCommit = () -> crashAt(CrashPoint.COMMITTED);
    }
    crashAt(CrashPoint.WRITTEN);
  }

  private void prepare() {
    if (point.isPresent()) {
      Entry.afterInsert = () -> crashAt(CrashPoint.FLUSHED);
      application.getBean(JdbcDedupStore.class).listen(new StoreListener() {
        @Override
        public void onCall(StoreCall call) {
          if (call.verb() == StoreCall.Verb.CLAIM) {
            crashAt(CrashPoint.CLAIMED);
          }
        }
      });
    }
  }

  private void crashAt(CrashPoint here) {
    if (point.filter(here::equals).isPresent()) {
      Runtime.getRuntime().halt(CRASHED);
    }
  }
}
