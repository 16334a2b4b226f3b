package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.transaction.ledger.Entry;
import io.hapax.spring.transaction.ledger.EntryRepository;
import io.hapax.spring.transaction.ledger.LedgerMapper;
import io.hapax.spring.transaction.ledger.Seat;
import io.hapax.spring.transaction.ledger.SeatRepository;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.orm.jpa.SharedEntityManagerCreator;

/** With JPA, whose writes wait for a flush. */
abstract class JpaTransactionTests extends TransactionTests {

  private EntryRepository entries() {
    return application.getBean(EntryRepository.class);
  }

  private SeatRepository seats() {
    return application.getBean(SeatRepository.class);
  }

  @Test
  void jpa_template_and_mapper_commit_together_with_the_mark() throws Exception {
    int before = commits();

    runOnce(id -> {
      entries().save(new Entry(id));
      ledger.write(id);
      application.getBean(LedgerMapper.class).write(UUID.randomUUID().toString(), id);
    });

    assertDone(3);
    assertThat(commits()).isEqualTo(before + 1);
  }

  @Test
  void a_duplicate_that_the_flush_finds_is_the_listeners_failure() {
    seats().save(new Seat(message));

    assertFails(
        id -> {
          ledger.write(id);
          seats().save(new Seat(id));
        },
        DataIntegrityViolationException.class);
  }

  @Test
  void a_duplicate_of_a_callback_before_the_commit_leaves_nothing() {
    seats().save(new Seat(message));

    assertBreaks(id -> {
      ledger.write(id);
      beforeCommit(() -> seats().save(new Seat(id)));
    });
  }

  @Test
  void a_failure_of_a_repository_that_is_swallowed_breaks_the_transaction() {
    seats().save(new Seat(message));

    assertBreaks(id -> {
      ledger.write(id);
      assertThatThrownBy(() -> seats().saveAndFlush(new Seat(id)))
          .isInstanceOf(DataIntegrityViolationException.class);
    });
  }

  @Test
  void a_native_query_that_commits_leaves_its_mark_in_doubt() throws Exception {
    EntityManager entityManager = SharedEntityManagerCreator.createSharedEntityManager(
        application.getBean(EntityManagerFactory.class));

    assertInDoubt(id -> {
      entries().save(new Entry(id));
      ledger.write(id);
      entityManager.createNativeQuery("commit").executeUpdate();
      throw new IllegalStateException("no stock");
    });
  }
}
