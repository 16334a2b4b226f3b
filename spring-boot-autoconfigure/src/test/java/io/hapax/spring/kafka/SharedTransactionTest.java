package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import io.hapax.spring.transaction.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Version;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.orm.jpa.SharedEntityManagerCreator;

/**
 * The messages of a poll share a transaction and its sessions: none may lose or overwrite what
 * another one has written.
 */
@Timeout(120)
class SharedTransactionTest {

  private static String topic = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  /** What a message adds to. */
  @Entity(name = "account")
  static class Account {

    @Id
    private String name = "";

    int balance;

    protected Account() {}

    Account(String name) {
      this.name = name;
    }
  }

  /** Before a query that changes its table, Hibernate writes only entities of this class. */
  @Entity(name = "rate")
  static class Rate {

    @Id
    private String name = "";

    @Version
    private int version;
  }

  /** Reads with MyBatis, which keeps results for the time of a transaction. */
  @Mapper
  interface Accounts {

    @Select("select balance from account where name = #{name}")
    int balance(String name);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Bank {

    private final JdbcTemplate database;
    private final Accounts accounts;
    private final EntityManager entities;
    private final List<String> quoted = new CopyOnWriteArrayList<>();

    Bank(JdbcTemplate database, Accounts accounts, EntityManagerFactory persistence) {
      this.database = database;
      this.accounts = accounts;
      this.entities = SharedEntityManagerCreator.createSharedEntityManager(persistence);
    }

    @KafkaListener(topics = "${orders}-open", groupId = "bank")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void open(String name) {
      if (name.startsWith("interest")) { // as a modifying query of Spring Data that clears
        entities.createQuery("delete from rate where name = 'old'").executeUpdate();
        entities.clear();
      } else {
        entities.persist(new Account(name));
      }
    }

    @KafkaListener(topics = "${orders}-double", groupId = "bank")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void twice(String order) {
      database.update(
          "update account set balance = ? where name = 'doubled'", 2 * accounts.balance("doubled"));
    }

    @KafkaListener(topics = "${orders}-quote", groupId = "bank")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void quote(String order) {
      if (!order.equals("raise")) {
        // Hibernate compares the version at the commit, if the context still has the rate.
        entities.find(Rate.class, "euro", LockModeType.OPTIMISTIC);
      } else if (!quoted.contains("raise")) {
        raiseInAnotherTransaction();
      }
      quoted.add(order);
    }
  }

  @BeforeAll
  static void start() {
    topic = Broker.topic(1);
    for (String kind : List.of("open", "double", "quote")) {
      Broker.createTopic(topic + "-" + kind);
    }
    app = Broker.startWithDatabase(Bank.class, topic, "spring.jpa.hibernate.ddl-auto=create");
  }

  @Test
  void a_message_that_clears_the_persistence_context_loses_nothing_of_earlier_messages() {
    handleInOnePoll("open", "a", "interest", "b");

    assertThat(database().queryForList("select name from account", String.class))
        .contains("first in open", "a", "b");
  }

  @Test
  void a_message_reads_no_result_that_mybatis_kept_for_an_earlier_one() {
    database().update("insert into account (name, balance) values ('doubled', 1)");

    handleInOnePoll("double", "a", "b", "c");

    assertThat(balance("doubled")).isEqualTo(2 * 2 * 2 * 2);
  }

  @Test
  void an_optimistic_lock_of_an_earlier_message_still_fails_the_commit() {
    database().update("insert into rate (name, version) values ('euro', 1)");

    handleInOnePoll("quote", "quote", "raise");

    assertThat(app.getBean(Bank.class).quoted)
        .containsExactly("first in quote", "quote", "raise", "quote", "raise");
  }

  private static void raiseInAnotherTransaction() {
    new JdbcTemplate(TestDatabase.POSTGRES.access().dataSource())
        .update("update rate set version = version + 1");
  }

  private static JdbcTemplate database() {
    return app.getBean(JdbcTemplate.class);
  }

  private static int balance(String account) {
    return app.getBean(Accounts.class).balance(account);
  }

  /** Handles messages in one transaction: behind one-by-one mode, which the first one ends. */
  private static void handleInOnePoll(String kind, String... texts) {
    String ofKind = topic + "-" + kind;
    Broker.send(ofKind, 0, "first", "first in " + kind);
    await().until(() -> Broker.committed("bank", ofKind, 0) == 1);
    Broker.sendAtOnce(ofKind, texts);
    await().until(() -> Broker.committed("bank", ofKind, 0) == 1 + texts.length);
  }
}
