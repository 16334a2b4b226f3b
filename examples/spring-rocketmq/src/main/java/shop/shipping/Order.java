package shop.shipping;

public record Order(String id, String address) {}
