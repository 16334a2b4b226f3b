package io.hapax.console;

import io.hapax.console.operations.Deployment;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A console that permits actions, the store of its consumer, and a user who has signed in. */
abstract class ConsoleFixture {

  @TempDir
  private Path folder;

  final InMemoryDedupStore store = new InMemoryDedupStore();
  Path log;
  Console console;
  Visitor visitor;

  @BeforeEach
  void openWritable() throws IOException {
    log = folder.resolve("actions.jsonl");
    console = open(ConsoleSettings.standalone(Visitor.TOKEN).allowingWrites(log));
    visitor = Visitor.signedIn(console);
  }

  @AfterEach
  void close() {
    console.close();
  }

  Console open(ConsoleSettings settings) throws IOException {
    return Console.open(settings, deployment());
  }

  Deployment deployment() {
    return Deployment.of(Marks.CONSUMER, store);
  }
}
