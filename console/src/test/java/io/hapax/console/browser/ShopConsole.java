package io.hapax.console.browser;

import io.hapax.console.Console;
import io.hapax.console.ConsoleServer;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.Setting;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A console on a free port, configured like that of the command line. */
final class ShopConsole implements AutoCloseable {

  static final String TOKEN = "a-token-of-the-browser-tests";

  private final ConsoleServer server;

  private ShopConsole(ConsoleServer server) {
    this.server = server;
  }

  /** Starts a console that permits all actions. */
  static ShopConsole start(Shop shop, Path folder) throws IOException {
    Deployment deployment = Deployment.of(Shop.CONSUMER, shop.store)
        .with(shop.broker(), Shop.TOPIC, Shop.CONSUMER, Shop.LETTERS)
        .showing(
            List.of(new Setting("store", "Redis"), new Setting("broker", "Kafka")),
            List.of(new Setting("Java", System.getProperty("java.version"))));
    return start(deployment, folder);
  }

  /** Starts a console with a store and without a broker. */
  static ShopConsole start(DedupStore store, Path folder) throws IOException {
    return start(Deployment.of(Shop.CONSUMER, store), folder);
  }

  private static ShopConsole start(Deployment deployment, Path folder) throws IOException {
    return serve(Console.open(
        ConsoleSettings.standalone(TOKEN).allowingWrites(folder.resolve("actions.log")),
        deployment));
  }

  static ShopConsole serve(Console console) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new ShopConsole(ConsoleServer.start(console, anyPort, Optional.empty()));
  }

  String address() {
    return server.address().toString();
  }

  @Override
  public void close() {
    server.close();
  }
}
