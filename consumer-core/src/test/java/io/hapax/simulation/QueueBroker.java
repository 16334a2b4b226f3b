package io.hapax.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Messages that are acknowledged one by one. What is neither acknowledged nor put off within a time
 * is delivered again, to anybody, whether its first reader still works on it or not.
 */
final class QueueBroker implements Broker {

  private static final Duration INVISIBLE = Duration.ofSeconds(25);

  /** A message in the queue. */
  static final class Parcel {
    private final Post post;
    private long visibleAt;
    private int deliveries;
    private boolean acknowledged;
    private Optional<ConsumerProcess> reader = Optional.empty();

    Parcel(Post post) {
      this.post = post;
    }

    Post post() {
      return post;
    }

    int deliveries() {
      return deliveries;
    }
  }

  private final World world;
  private final Dice dice;
  private final List<Parcel> parcels = new ArrayList<>();

  QueueBroker(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  @Override
  public void produce(Post post) {
    parcels.add(new Parcel(post));
  }

  @Override
  public Adapter adapter(ConsumerProcess process) {
    return new QueueAdapter(process, this);
  }

  List<Parcel> pull(ConsumerProcess process, int limit) {
    List<Parcel> pulled = parcels.stream()
        .filter(it -> !it.acknowledged && it.visibleAt <= world.time().now() && dice.chance(0.7))
        .limit(limit)
        .toList();
    for (Parcel parcel : pulled) {
      parcel.visibleAt = world.time().now() + INVISIBLE.toNanos();
      parcel.reader = Optional.of(process);
      parcel.deliveries++;
    }
    return pulled;
  }

  void acknowledge(Parcel parcel) {
    world.acknowledged(parcel.post);
    parcel.acknowledged = true;
  }

  /** A reader has put off what it was delivered last. */
  void deliverLater(Parcel parcel, int delivery, Duration delay) {
    if (parcel.deliveries == delivery) {
      parcel.visibleAt = world.time().now() + delay.toNanos();
    }
  }

  @Override
  public void rebalance() {
    world.witness().tally.rebalances++;
    for (Parcel parcel : parcels) {
      if (dice.chance(0.5)) {
        parcel.visibleAt = Math.min(parcel.visibleAt, world.time().now());
      }
    }
  }

  @Override
  public void left(ConsumerProcess process) {
    for (Parcel parcel : parcels) {
      if (parcel.reader.equals(Optional.of(process))) {
        parcel.visibleAt = Math.min(parcel.visibleAt, world.time().now());
      }
    }
  }

  @Override
  public Collection<Post> before(Post post) {
    return List.of();
  }

  @Override
  public boolean atRest() {
    return parcels.stream().allMatch(it -> it.acknowledged);
  }

  @Override
  public String open() {
    return parcels.stream()
        .filter(it -> !it.acknowledged)
        .map(it -> it.post)
        .toList()
        .toString();
  }
}
