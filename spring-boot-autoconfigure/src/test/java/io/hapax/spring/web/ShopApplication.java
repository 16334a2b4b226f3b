package io.hapax.spring.web;

import io.hapax.spring.ExecutorCustomizer;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.OncePerRequestFilter;

/** A shop with a store in its database. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ShopController.class, NestedController.class})
class ShopApplication {

  @Bean
  ExecutorCustomizer impatience(@Value("${shop.at-most-once:false}") boolean atMostOnce) {
    return (name, builder) -> {
      builder.patience(Duration.ofMillis(1500));
      if (atMostOnce && name.equals("shop-http")) {
        builder.refuseUnknownOutcome();
      }
    };
  }

  /**
   * Security, with the user's name as a header: without one the request is refused. The user and
   * the key are sent percent-encoded.
   */
  @Bean
  Filter security() {
    return new UserFilter();
  }

  private static final class UserFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      String user = request.getHeader("X-User");
      if (user == null) {
        response.setStatus(401);
        return;
      }
      response.setHeader("X-Outer", "of a filter");
      chain.doFilter(new OfUser(request, user), response);
    }
  }

  private static final class OfUser extends HttpServletRequestWrapper {

    private final String user;

    OfUser(HttpServletRequest request, String user) {
      super(request);
      this.user = URLDecoder.decode(user, StandardCharsets.UTF_8);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      List<String> values = Collections.list(super.getHeaders(name));
      if (name.equals("Idempotency-Key")) {
        values.replaceAll(value -> URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
      return Collections.enumeration(values);
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
      return () -> user;
    }
  }
}
