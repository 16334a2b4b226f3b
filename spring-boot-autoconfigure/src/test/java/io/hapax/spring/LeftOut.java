package io.hapax.spring;

/**
 * Auto-configurations that a test leaves out, as the value of {@code spring.autoconfigure.exclude}.
 * The names are those of all lines of Spring Boot.
 */
public final class LeftOut {

  /** Those of Spring Security, which would demand a password for each request. */
  public static final String SECURITY =
      "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.security.servlet"
          + ".UserDetailsServiceAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.security.servlet"
          + ".SecurityFilterAutoConfiguration,"
          + "org.springframework.boot.actuate.autoconfigure.security.servlet"
          + ".ManagementWebSecurityAutoConfiguration,"
          + "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
          + "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration,"
          + "org.springframework.boot.security.autoconfigure.web.servlet"
          + ".ServletWebSecurityAutoConfiguration,"
          + "org.springframework.boot.security.autoconfigure.web.servlet"
          + ".SecurityFilterAutoConfiguration,"
          + "org.springframework.boot.security.autoconfigure.actuate.web.servlet"
          + ".ManagementWebSecurityAutoConfiguration";

  /** The auto-configurations of JPA. */
  public static final String JPA =
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

  /** Those of a database. */
  public static final String DATABASE =
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
          + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
          + JPA;

  private LeftOut() {}
}
