package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.spring.transaction.ledger.CommitCounter;
import io.hapax.spring.transaction.ledger.Faults;
import io.hapax.spring.transaction.ledger.Ledger;
import io.hapax.spring.transaction.ledger.LedgerApplication;
import io.hapax.store.BrokenTransactionException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application with the auto-configured store, and a message that is new in each test. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FrameTests {

  @AutoClose
  ConfigurableApplicationContext application;

  JdbcDedupStore store;
  Ledger ledger;
  Faults faults;
  JdbcTemplate jdbc;
  String message;

  abstract TestDatabase database();

  /** Further properties of the application. */
  String[] properties() {
    return new String[0];
  }

  @BeforeAll
  void startApplication() {
    application = new SpringApplicationBuilder(LedgerApplication.class)
        .web(WebApplicationType.NONE)
        .properties(database().access().properties())
        .properties(properties())
        .run();
    store = application.getBean(JdbcDedupStore.class);
    ledger = application.getBean(Ledger.class);
    faults = application.getBean(Faults.class);
    jdbc = application.getBean(JdbcTemplate.class);
  }

  @BeforeEach
  void newMessage() {
    message = UUID.randomUUID().toString();
  }

  /** What the listener does in the transaction of the mark. */
  @FunctionalInterface
  interface Listener {
    void on(String message) throws Exception;
  }

  List<ClaimAnswer> runOnce(Listener listener) throws Exception {
    return runOnce(request(), listener);
  }

  List<ClaimAnswer> runOnce(ClaimRequest request, Listener listener) throws Exception {
    return store.<Exception>runOnce(
        List.of(request), (connection, answers) -> listener.on(message));
  }

  ClaimRequest request() {
    return request(message);
  }

  ClaimRequest request(String id) {
    return new ClaimRequest(
        MessageKey.of("ledger", id),
        new Nonce(1, id.hashCode()),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, false, ClaimTerms.ANY_TIME));
  }

  MessageKey key() {
    return MessageKey.of("ledger", message);
  }

  int commits() {
    return application.getBean(CommitCounter.class).commits.get();
  }

  void assertDone(int effects) {
    assertThat(store.find(List.of(key())).get(0).map(Mark::state)).contains(MarkState.DONE);
    assertThat(ledger.effects(message)).isEqualTo(effects);
  }

  void assertNothingStands() {
    assertThat(store.find(List.of(key())).get(0)).isEmpty();
    assertThat(ledger.effects(message)).isZero();
  }

  void assertFails(Listener listener, Class<? extends Exception> failure) {
    assertThatThrownBy(() -> runOnce(listener)).isInstanceOf(failure);
    assertNothingStands();
  }

  void assertBreaks(Listener listener) {
    assertFails(listener, BrokenTransactionException.class);
  }
}
