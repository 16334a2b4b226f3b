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
 * The access rules of a RocketMQ server.
 *
 * @param tls whether it requires TLS
 * @param user the user with all permissions; empty if requests need no signature
 * @param password the password of that user
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

  /** Returns the JVM's options for these rules. */
  List<String> jvmOptions() {
    // Unless TLS is disabled, the server generates a key at each start.
    return List.of("-Dtls.server.mode=" + (tls ? "enforcing" : "disabled"));
  }

  /** Returns the broker's settings for these rules. */
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
            RocketMqConnection.quoted(first) + ':' + RocketMqConnection.quoted(user),
            RocketMqConnection.quoted(second) + ':' + RocketMqConnection.quoted(password))
        + '}';
  }

  /** Connects. The caller closes the connection. */
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
      throw new IOException("this JVM does not support TLS", e);
    }
  }

  /** Returns a request's fields with the user's signature over the fields and the body. */
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

  /** Accepts every certificate. The server generates its own, and both are on this machine. */
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
