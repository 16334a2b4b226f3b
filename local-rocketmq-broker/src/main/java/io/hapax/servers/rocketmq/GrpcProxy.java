package io.hapax.servers.rocketmq;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.proxy.ProxyStartup;
import org.apache.rocketmq.proxy.config.Configuration;
import org.apache.rocketmq.proxy.config.ConfigurationManager;
import org.apache.rocketmq.proxy.config.ProxyConfig;
import org.apache.rocketmq.proxy.grpc.interceptor.ContextInterceptor;
import org.apache.rocketmq.proxy.grpc.interceptor.GlobalExceptionInterceptor;
import org.apache.rocketmq.proxy.grpc.interceptor.HeaderInterceptor;
import org.apache.rocketmq.proxy.grpc.v2.GrpcMessagingApplication;
import org.apache.rocketmq.proxy.metrics.ProxyMetricsManager;
import org.apache.rocketmq.proxy.processor.DefaultMessagingProcessor;

/**
 * RocketMQ's proxy in LOCAL mode, for gRPC clients. It starts the same parts as RocketMQ's
 * {@code ProxyStartup}, in the same order. That class ignores the settings and listens on every
 * network interface, and at a second port for other clients.
 */
final class GrpcProxy {

  private static final String PREFIX = "proxy.";

  private final DefaultMessagingProcessor processor;
  private final GrpcMessagingApplication application;
  private final Server server;

  private GrpcProxy(
      DefaultMessagingProcessor processor, GrpcMessagingApplication application, Server server) {
    this.processor = processor;
    this.application = application;
    this.server = server;
  }

  /** Returns the proxy's settings from those of the broker. */
  static Properties settings(Properties all) {
    Properties own = new Properties();
    for (String name : all.stringPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        own.setProperty(name.substring(PREFIX.length()), all.getProperty(name));
        all.remove(name);
      }
    }
    return own;
  }

  /** Creates a proxy for a broker that is initialized and not started. */
  static GrpcProxy of(Properties settings, BrokerController broker) throws Exception {
    ProxyConfig config = config(settings);
    ProxyMetricsManager.initLocalMode(broker.getBrokerMetricsManager(), config);
    DefaultMessagingProcessor processor = DefaultMessagingProcessor.createForLocalMode(broker);
    GrpcMessagingApplication application = GrpcMessagingApplication.create(processor);
    Server server = NettyServerBuilder.forAddress(
            new InetSocketAddress(config.getLocalServeAddr(), config.getGrpcServerPort()))
        .executor(ProxyStartup.createServerExecutor())
        .maxInboundMessageSize(config.getGrpcMaxInboundMessageSize())
        .addService(application)
        .intercept(new GlobalExceptionInterceptor())
        .intercept(new ContextInterceptor())
        .intercept(new HeaderInterceptor())
        .build();
    return new GrpcProxy(processor, application, server);
  }

  private static ProxyConfig config(Properties settings) throws Exception {
    Path file = Path.of(System.getProperty("rocketmq.home.dir"), "rmq-proxy.json");
    write(settings, file);
    System.setProperty(Configuration.CONFIG_PATH_PROPERTY, file.toString());
    ConfigurationManager.initEnv();
    ConfigurationManager.initConfig();
    ProxyConfig config = ConfigurationManager.getProxyConfig();
    BrokerMain.requireTaken(settings, MixAll.object2Properties(config), "proxy");
    return config;
  }

  private static void write(Properties settings, Path file) throws IOException {
    String json = settings.stringPropertyNames().stream()
        .map(name -> quoted(name) + ':' + quoted(settings.getProperty(name)))
        .collect(Collectors.joining(",", "{", "}"));
    Files.writeString(file, json);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /**
   * Starts the proxy for a broker that is started. Without its processor it would answer no long
   * poll.
   */
  void start() throws Exception {
    processor.start();
    application.start();
    server.start();
  }
}
