package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import java.util.ArrayList;
import java.util.List;

/** Records the calls of a store. */
final class RecordedCalls {

  private RecordedCalls() {}

  /** Records each call of the store when it ends, from now on. */
  static List<StoreCall> of(DedupStore store) {
    List<StoreCall> calls = new ArrayList<>();
    assertThat(store).isInstanceOf(ListenableStore.class);
    ((ListenableStore) store).listen(new StoreListener() {
      @Override
      public void onCall(StoreCall call) {
        calls.add(call);
      }
    });
    return calls;
  }
}
