package io.hapax.spring.console;

import io.hapax.store.InMemoryDedupStore;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * An application whose security knows users by a header: {@code X-User: ann operator}, with a role
 * or without one.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(InMemoryDedupStore.class)
class ConsoleApplication {

  @Bean
  Filter security(@Value("${shop.secured:true}") boolean secured) {
    return new Security(secured);
  }

  private static final class Security extends OncePerRequestFilter {

    private final boolean secured;

    Security(boolean secured) {
      this.secured = secured;
    }

    @Override
    protected void doFilterInternal(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      String user = request.getHeader("X-User");
      if (user != null) {
        chain.doFilter(new OfUser(request, user.split(" ", 2)), response);
      } else if (secured) {
        response.setStatus(401);
      } else {
        chain.doFilter(request, response);
      }
    }
  }

  private static final class OfUser extends HttpServletRequestWrapper {

    private final String[] user;

    OfUser(HttpServletRequest request, String[] user) {
      super(request);
      this.user = user;
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
      return () -> user[0];
    }

    @Override
    public boolean isUserInRole(String role) {
      return user.length == 2 && user[1].equals(role);
    }
  }
}
