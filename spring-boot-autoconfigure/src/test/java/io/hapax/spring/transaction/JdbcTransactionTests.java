package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Without JPA. */
abstract class JdbcTransactionTests extends TransactionTests {

  @Override
  String[] properties() {
    return new String[] {
      "spring.autoconfigure.exclude="
          + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
    };
  }

  @Test
  void the_manager_is_that_of_jdbc() {
    assertThat(application.getBean(PlatformTransactionManager.class))
        .isInstanceOf(JdbcTransactionManager.class);
  }

  @Test
  void a_nested_service_that_fails_is_undone_alone() throws Exception {
    runOnce(id -> {
      ledger.write(id);
      assertThatThrownBy(() -> ledger.failNested(id)).isInstanceOf(IllegalStateException.class);
    });

    assertDone(1);
  }
}
