package io.hapax.spring.autoconfigure;

import io.hapax.spring.Idempotent;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** What the stores and listeners find at run time by name: proxies, scripts and an annotation. */
final class HapaxRuntimeHints implements RuntimeHintsRegistrar {

  /** The types that the JDBC store guards while a handler has its connection. */
  private static final List<Class<?>> GUARDED = List.of(
      CallableStatement.class,
      PreparedStatement.class,
      Statement.class,
      ResultSet.class,
      DatabaseMetaData.class,
      Array.class,
      Connection.class);

  /** Proxies around the consumer of a listener. By name, because Spring Kafka is optional. */
  private static final List<String> GUARDED_FOR_LISTENERS = List.of(
      "org.apache.kafka.clients.consumer.Consumer",
      "org.springframework.kafka.listener.RecordInterceptor",
      "org.springframework.kafka.listener.BatchInterceptor");

  /** Kafka makes it by its name. */
  private static final String DESERIALIZER = "io.hapax.spring.kafka.KeptBytesDeserializer";

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    GUARDED.forEach(type -> hints.proxies().registerJdkProxy(type));
    hints
        .resources()
        .registerPattern("io/hapax/redis/*.lua")
        .registerPattern("io/hapax/jdbc/*.sql")
        .registerPattern("io/hapax/jdbc/flyway/*/*.sql")
        .registerPattern("io/hapax/jdbc/liquibase/*.xml");
    hints.reflection().registerType(Idempotent.class, MemberCategory.INVOKE_DECLARED_METHODS);
    if (GUARDED_FOR_LISTENERS.stream().allMatch(it -> ClassUtils.isPresent(it, classLoader))) {
      GUARDED_FOR_LISTENERS.forEach(it -> hints.proxies().registerJdkProxy(TypeReference.of(it)));
      hints
          .reflection()
          .registerType(TypeReference.of(DESERIALIZER), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }
  }
}
