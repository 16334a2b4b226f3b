package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.operations.Deployment;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What the view of the store shows about its settings. */
class WarningsTest {

  private static String page(DedupStore store) throws IOException {
    Console console = Console.open(
        ConsoleSettings.standalone(Visitor.TOKEN), Deployment.of(Marks.CONSUMER, store));
    return Visitor.text(Visitor.signedIn(console).get("/consumers"));
  }

  @Test
  void the_warnings_of_the_store_are_shown() throws IOException {
    assertThat(page(new InMemoryDedupStore()))
        .contains("the marks are in the memory of one process: its end loses all of them");
  }

  @Test
  void a_name_is_the_same_in_each_language() throws IOException {
    Deployment deployment = Deployment.of("read-only", new InMemoryDedupStore());
    Console console = Console.open(ConsoleSettings.standalone(Visitor.TOKEN), deployment);
    Visitor visitor = Visitor.signedIn(console).with("accept-language", "zh-CN");

    assertThat(Visitor.text(visitor.get("/consumers")))
        .contains("<bdi class=\"foreign\">read-only</bdi>");
  }

  @Test
  void a_store_that_does_not_answer_is_a_warning() throws IOException {
    DedupStore down = (DedupStore) Proxy.newProxyInstance(
        DedupStore.class.getClassLoader(), new Class<?>[] {DedupStore.class}, (self, it, args) -> {
          if (it.getName().equals("retention")) {
            return new InMemoryDedupStore().retention();
          }
          throw new StoreException("no answer");
        });

    assertThat(page(down)).contains("the settings of the store cannot be read: no answer");
  }
}
