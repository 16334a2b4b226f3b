package io.hapax.spring.autoconfigure;

import io.hapax.jdbc.TransactionFrame;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.transaction.DataSources;
import io.hapax.spring.transaction.SpringTransactionFrame;
import io.hapax.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** Chooses the transactions of the application that marks commit in. */
final class ApplicationTransactions {

  private static final Logger LOG = LoggerFactory.getLogger(HapaxJdbcAutoConfiguration.class);

  private final Mode mode;
  private final DataSource database;
  private final ListableBeanFactory beans;
  private final Optional<TransactionFrame> frame;

  /** Refuses several managers that fit, and an only one that cannot begin such transactions. */
  ApplicationTransactions(
      Mode mode,
      DataSource dataSource,
      Optional<TransactionFrame> given,
      ListableBeanFactory beans) {
    this.mode = mode;
    this.database = DataSources.withoutProxies(dataSource);
    this.beans = beans;
    this.frame = given.isPresent() ? given : manager().flatMap(this::frameOf);
  }

  Optional<TransactionFrame> frame() {
    return frame;
  }

  private Optional<TransactionFrame> frameOf(PlatformTransactionManager manager) {
    Optional<String> bound = new BoundAtBegin(beans).in(database, manager);
    if (bound.isPresent()) {
      return unusable(
          new IllegalArgumentException("hapax.mode is " + mode + ", and " + bound.get()
              + " chooses when a transaction begins. Hapax begins the transaction before the"
              + " listener and its interceptors run, and for all messages of a poll, so that it"
              + " cannot choose by the message"),
          "Set hapax.mode to leased: then the services of a listener begin their own transactions."
              + " If the choice does not depend on the message, declare a bean of type"
              + " TransactionFrame with SpringTransactionFrame.of(manager, dataSource).");
    }
    try {
      return Optional.of(SpringTransactionFrame.of(manager, database));
    } catch (IllegalArgumentException e) {
      return unusable(
          e,
          "Mark the manager of that DataSource @Primary, or declare a bean of type"
              + " TransactionFrame. Or set hapax.mode to leased.");
    } catch (StoreException e) {
      return unusable(
          e,
          "Check that the database answers. The manager must begin READ COMMITTED transactions: a"
              + " JpaTransactionManager needs the JpaDialect of its product, for example"
              + " HibernateJpaDialect. Or declare a bean of type TransactionFrame, or set hapax.mode"
              + " to leased.");
    }
  }

  private Optional<TransactionFrame> unusable(RuntimeException because, String wayOut) {
    if (mode == Mode.LEASED) {
      LOG.warn("Listeners run in leased mode only: {}", because.getMessage(), because);
      return Optional.empty();
    }
    throw new RefusedStoreException(String.valueOf(because.getMessage()), wayOut, because);
  }

  private Optional<PlatformTransactionManager> manager() {
    Map<String, PlatformTransactionManager> all =
        new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class));
    Map<String, PlatformTransactionManager> fitting = new TreeMap<>(all);
    fitting.values().removeIf(each -> !isOn(database, each));
    if (fitting.isEmpty()) {
      LOG.info(
          "Listeners run in leased mode: no PlatformTransactionManager of the DataSource that holds"
              + " the marks; the application has {}",
          all.keySet());
      return Optional.empty();
    }
    if (fitting.size() == 1) {
      return Optional.of(fitting.values().iterator().next());
    }
    @Nullable
    PlatformTransactionManager primary =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    if (primary != null && fitting.containsValue(primary)) {
      return Optional.of(primary);
    }
    return undecided(fitting);
  }

  private Optional<PlatformTransactionManager> undecided(
      Map<String, PlatformTransactionManager> fitting) {
    String message = "The DataSource that holds the marks has several transaction managers, "
        + String.join(", ", fitting.keySet()) + ", and none of them is primary";
    if (mode == Mode.LEASED) {
      LOG.warn("Listeners run in leased mode only: {}", message);
      return Optional.empty();
    }
    throw new RefusedStoreException(
        message,
        "Mark one of them @Primary: the one of the repositories that listeners call. Or set"
            + " hapax.mode to leased.");
  }

  /** Asks for a property: the managers for JDBC, JPA and Hibernate share it, but no type. */
  private static boolean isOn(DataSource database, PlatformTransactionManager manager) {
    return BoundAtBegin.property(
            PropertyAccessorFactory.forBeanPropertyAccess(manager), "dataSource")
        .filter(DataSource.class::isInstance)
        .filter(own -> DataSources.withoutProxies((DataSource) own).equals(database))
        .isPresent();
  }
}
