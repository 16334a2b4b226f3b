package io.hapax.spring.console;

import io.hapax.spring.autoconfigure.BootLine;
import io.hapax.store.InMemoryDedupStore;
import java.lang.reflect.Method;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ReflectionUtils;

/** An application that Spring Security protects as the documentation describes. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(InMemoryDedupStore.class)
class SecuredApplication {

  /** The types of both lines. */
  private static final Class<?> ENDPOINT_REQUEST = BootLine.type(
      "org.springframework.boot.actuate.autoconfigure.security.servlet.EndpointRequest",
      "org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest");

  @Bean
  UserDetailsService users() {
    return new InMemoryUserDetailsManager(user("ann", "operator"), user("bob", "reader"));
  }

  private static UserDetails user(String name, String role) {
    return User.withUsername(name)
        .password("{noop}" + MountedConsole.PASSWORD)
        .roles(role)
        .build();
  }

  @Bean
  SecurityFilterChain console(HttpSecurity http, @Value("${shop.csrf-exempt:true}") boolean exempt)
      throws Exception {
    RequestMatcher console = consolePages();
    http.securityMatcher(console)
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .httpBasic(Customizer.withDefaults());
    if (exempt) {
      http.csrf(csrf -> csrf.ignoringRequestMatchers(console));
    }
    return http.build();
  }

  /** Returns {@code EndpointRequest.to("hapaxconsole")}, whose type the lines have elsewhere. */
  private static RequestMatcher consolePages() {
    Method to =
        Objects.requireNonNull(ReflectionUtils.findMethod(ENDPOINT_REQUEST, "to", String[].class));
    return (RequestMatcher) Objects.requireNonNull(
        ReflectionUtils.invokeMethod(to, null, (Object) new String[] {ConsoleEndpoint.ID}));
  }
}
