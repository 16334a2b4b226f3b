package io.hapax.spring.autoconfigure;

import static io.hapax.spring.autoconfigure.HapaxJdbcAutoConfigurationTest.h2;
import static io.hapax.spring.autoconfigure.HapaxJdbcAutoConfigurationTest.joined;
import static io.hapax.spring.autoconfigure.HapaxJdbcAutoConfigurationTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.jdbc.TransactionFrame;
import io.hapax.spring.transaction.SpringTransactionFrame;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/** Applications whose transactions choose something when they begin. */
class BoundAtBeginTest {

  private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(
          AutoConfigurations.of(HapaxAutoConfiguration.class, HapaxJdbcAutoConfiguration.class))
      .withPropertyValues("hapax.jdbc.create-if-absent=true", "hapax.jdbc.allow-volatile=true");

  private final DataSource main = h2();
  private final DataSource acme = h2();

  /** As an application routes each tenant to its database. */
  private static final class ByTenant extends AbstractRoutingDataSource {

    ByTenant(Map<Object, Object> targets) {
      setTargetDataSources(targets);
    }

    @Override
    protected @Nullable Object determineCurrentLookupKey() {
      return TENANT.get();
    }
  }

  private ByTenant routing() {
    ByTenant routing = new ByTenant(Map.of("acme", acme));
    routing.setDefaultTargetDataSource(main);
    routing.afterPropertiesSet();
    return routing;
  }

  /** As libraries that have a class of their own for it. */
  private static final class LibraryRoutingDataSource extends AbstractDataSource {

    private final DataSource target = h2();

    @Override
    public Connection getConnection() throws SQLException {
      return target.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return getConnection();
    }
  }

  private ApplicationContextRunner with(DataSource dataSource) {
    return with(dataSource, new DataSourceTransactionManager(dataSource));
  }

  private ApplicationContextRunner with(DataSource dataSource, PlatformTransactionManager manager) {
    return runner
        .withBean(DataSource.class, () -> dataSource)
        .withBean(PlatformTransactionManager.class, () -> manager);
  }

  private static void assertRefused(AssertableApplicationContext context, String subject) {
    assertThat(context).hasFailed();
    assertThat(context.getStartupFailure())
        .rootCause()
        .hasMessageContaining(subject)
        .hasMessageContaining("chooses when a transaction begins");
    assertThat(context.getStartupFailure())
        .hasStackTraceContaining(RefusedStoreException.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "transactional"})
  void a_routing_data_source_is_refused(String mode) {
    List<UnaryOperator<DataSource>> wrappers = List.of(
        UnaryOperator.identity(), LazyConnectionDataSourceProxy::new, DelegatingDataSource::new);

    for (UnaryOperator<DataSource> wrapper : wrappers) {
      with(wrapper.apply(routing()))
          .withPropertyValues("hapax.mode=" + mode)
          .run(context -> assertRefused(context, "DataSource " + ByTenant.class.getName()));
    }
    with(new LibraryRoutingDataSource())
        .withPropertyValues("hapax.mode=" + mode)
        .run(context -> assertRefused(context, LibraryRoutingDataSource.class.getName()));
  }

  @Test
  void in_leased_mode_marks_are_in_the_default_target_whatever_the_thread_has_chosen() {
    with(routing()).withPropertyValues("hapax.mode=leased").run(context -> {
      assertThat(joined(context)).isFalse();
      TENANT.set("acme");
      try {
        context.getBean(JdbcDedupStore.class).claim(List.of(request()), Duration.ofMinutes(1));
      } finally {
        TENANT.remove();
      }
      assertThat(new JdbcTemplate(main).queryForList("select * from hapax_marks"))
          .hasSize(1);
    });
  }

  @Test
  void a_routing_data_source_without_a_default_target_has_no_place_for_marks() {
    ByTenant routing = new ByTenant(Map.of("acme", acme));
    routing.afterPropertiesSet();

    with(routing).withPropertyValues("hapax.mode=leased").run(context -> {
      assertThat(context).hasFailed();
      assertThat(context.getStartupFailure()).hasStackTraceContaining("has no default target");
    });
  }

  @Test
  void a_frame_of_the_application_may_route() {
    ByTenant routing = routing();

    with(routing)
        .withBean(
            TransactionFrame.class,
            () -> SpringTransactionFrame.of(new DataSourceTransactionManager(routing), routing))
        .run(context -> assertThat(joined(context)).isTrue());
  }

  private static final class ChoosingManager extends DataSourceTransactionManager {

    private static final long serialVersionUID = 1L;

    ChoosingManager(DataSource dataSource) {
      super(dataSource);
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      super.doBegin(transaction, definition);
    }
  }

  @Test
  void a_manager_that_adds_to_the_begin_is_refused() {
    with(main, new ChoosingManager(main))
        .run(context -> assertRefused(context, ChoosingManager.class.getName()));
  }

  private static final class ChoosingDialect extends HibernateJpaDialect {

    private static final long serialVersionUID = 1L;

    @Override
    public Object beginTransaction(EntityManager entityManager, TransactionDefinition definition)
        throws SQLException {
      return super.beginTransaction(entityManager, definition);
    }
  }

  private JpaTransactionManager jpa(Map<String, Object> properties) {
    return jpa(properties, new HibernateJpaDialect());
  }

  private JpaTransactionManager jpa(Map<String, Object> properties, HibernateJpaDialect dialect) {
    LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
    factory.setDataSource(main);
    factory.setPackagesToScan("io.hapax.spring.autoconfigure");
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setJpaPropertyMap(properties);
    factory.setJpaDialect(dialect);
    factory.afterPropertiesSet();
    @Nullable EntityManagerFactory built = factory.getObject();
    JpaTransactionManager manager = new JpaTransactionManager();
    manager.setEntityManagerFactory(built);
    manager.setDataSource(main);
    return manager;
  }

  @Test
  void a_jpa_dialect_that_adds_to_the_begin_is_refused() {
    with(main, jpa(Map.of(), new ChoosingDialect()))
        .run(context -> assertRefused(context, ChoosingDialect.class.getName()));
  }

  private static final class Tenants implements CurrentTenantIdentifierResolver<String> {

    @Override
    public String resolveCurrentTenantIdentifier() {
      return "main";
    }

    @Override
    public boolean validateExistingCurrentSessions() {
      return false;
    }
  }

  @Test
  void a_tenant_resolver_of_hibernate_is_refused() {
    with(main, jpa(Map.of("hibernate.tenant_identifier_resolver", new Tenants())))
        .run(context -> assertRefused(context, "the tenant resolver of Hibernate"));
    with(main, jpa(Map.of()))
        .withBean(CurrentTenantIdentifierResolver.class, Tenants::new)
        .run(context -> assertRefused(context, "the tenant resolver of Hibernate"));
    with(main, jpa(Map.of())).run(context -> assertThat(joined(context)).isTrue());
  }
}
