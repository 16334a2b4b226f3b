package io.hapax.spring.autoconfigure;

import io.hapax.spring.transaction.DataSources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Finds what an application chooses when a transaction begins, such as the tenant. Hapax begins the
 * transaction before the listener knows the message, and for all messages of a poll. What is chosen
 * by a message would be chosen for another one.
 */
record BoundAtBegin(ListableBeanFactory beans) {

  private static final Set<String> TENANT_PROPERTIES =
      Set.of("hibernate.tenant_identifier_resolver", "hibernate.multi_tenant_connection_provider");

  private static final String TENANT_RESOLVER =
      "org.hibernate.context.spi.CurrentTenantIdentifierResolver";

  /** Returns what chooses at the begin of a transaction, as the subject of a sentence. */
  Optional<String> in(DataSource database, PlatformTransactionManager manager) {
    BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(manager);
    return DataSources.routing(database)
        .map(it -> "the routing DataSource " + it.getClass().getName())
        .or(() ->
            overriding(manager, "doBegin").map(it -> "doBegin of the transaction manager " + it))
        .or(() -> property(properties, "jpaDialect")
            .flatMap(it -> overriding(it, "beginTransaction"))
            .map(it -> "beginTransaction of the JPA dialect " + it))
        .or(() -> Stream.of("entityManagerFactory", "sessionFactory")
            .flatMap(it -> property(properties, it).stream())
            .findFirst()
            .filter(this::resolvesTenants)
            .map(it -> "the tenant resolver of Hibernate"));
  }

  /** Returns the class that overrides a method of Spring, if it does not belong to Spring. */
  private static Optional<String> overriding(Object bean, String method) {
    Class<?> type = ClassUtils.getUserClass(bean);
    return Stream.<Class<?>>iterate(type, it -> it != null, Class::getSuperclass)
        .filter(it -> !it.getName().startsWith("org.springframework."))
        .filter(it ->
            Stream.of(it.getDeclaredMethods()).anyMatch(own -> own.getName().equals(method)))
        .map(Class::getName)
        .findFirst();
  }

  /** Hibernate takes a resolver from its properties, or from the beans. */
  private boolean resolvesTenants(Object factory) {
    boolean configured = property(
            PropertyAccessorFactory.forBeanPropertyAccess(factory), "properties")
        .filter(Map.class::isInstance)
        .map(it -> ((Map<?, ?>) it).keySet().stream().anyMatch(TENANT_PROPERTIES::contains))
        .orElse(false);
    ClassLoader loader = BoundAtBegin.class.getClassLoader();
    return configured
        || (ClassUtils.isPresent(TENANT_RESOLVER, loader)
            && beans.getBeanNamesForType(
                        ClassUtils.resolveClassName(TENANT_RESOLVER, loader), true, false)
                    .length
                > 0);
  }

  /** No common type of the managers for JDBC, JPA and Hibernate has these properties. */
  static Optional<Object> property(BeanWrapper properties, String name) {
    return properties.isReadableProperty(name)
        ? Optional.ofNullable(properties.getPropertyValue(name))
        : Optional.empty();
  }
}
