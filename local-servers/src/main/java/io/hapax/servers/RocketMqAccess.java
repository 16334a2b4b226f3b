package io.hapax.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * How a RocketMQ server lets others in.
 *
 * @param tls whether it speaks TLS and nothing else
 * @param user the one who may do everything; empty if anybody may
 * @param password that user's
 */
record RocketMqAccess(boolean tls, String user, String password) {

  static final RocketMqAccess OPEN = new RocketMqAccess(false, "", "");

  private static final String SIGNATURE = "HmacSHA1";

  RocketMqAccess withTls() {
    return new RocketMqAccess(true, user, password);
  }

  RocketMqAccess withUser(String name, String secret) {
    return new RocketMqAccess(tls, name, secret);
  }

  /** The JVM's options that make it so. */
  List<String> jvmOptions() {
    // Where it is not disabled it makes a key at each start.
    return List.of("-Dtls.server.mode=" + (tls ? "enforcing" : "disabled"));
  }

  /** The broker's settings that make it so. */
  Map<String, String> settings() {
    if (user.isEmpty()) {
      return Map.of();
    }
    String auth = "org.apache.rocketmq.auth.";
    return Map.of(
        "authenticationEnabled",
        "true",
        "authenticationMetadataProvider",
        auth + "authentication.provider.LocalAuthenticationMetadataProvider",
        "initAuthenticationUser",
        pair("username", "password"),
        "innerClientAuthenticationCredentials",
        pair("accessKey", "secretKey"),
        "authorizationEnabled",
        "true",
        "authorizationMetadataProvider",
        auth + "authorization.provider.LocalAuthorizationMetadataProvider");
  }

  private String pair(String first, String second) {
    return '{'
        + String.join(
            ",",
            RocketMqWire.quoted(first) + ':' + RocketMqWire.quoted(user),
            RocketMqWire.quoted(second) + ':' + RocketMqWire.quoted(password))
        + '}';
  }

  /** Connects; whoever is given the connection closes it. */
  Socket connect(int port) throws IOException {
    Socket socket = Loopback.connect(port);
    if (!tls) {
      return socket;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, null);
      return context.getSocketFactory().createSocket(socket, Loopback.HOST, port, true);
    } catch (GeneralSecurityException e) {
      socket.close();
      throw new IOException("this JVM speaks no TLS", e);
    }
  }

  /** A request's fields with the user's signature over all of them and the body. */
  Map<String, String> sign(Map<String, String> fields, byte[] body) throws IOException {
    if (user.isEmpty()) {
      return fields;
    }
    Map<String, String> signed = new TreeMap<>(fields);
    signed.put("AccessKey", user);
    try {
      Mac mac = Mac.getInstance(SIGNATURE);
      mac.init(new SecretKeySpec(password.getBytes(StandardCharsets.UTF_8), SIGNATURE));
      for (String value : new ArrayList<>(signed.values())) {
        mac.update(value.getBytes(StandardCharsets.UTF_8));
      }
      signed.put("Signature", Base64.getEncoder().encodeToString(mac.doFinal(body)));
      return signed;
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot sign", e);
    }
  }

  /** The server makes its certificate itself, and both are on this machine. */
  private static final class TrustsAll implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
