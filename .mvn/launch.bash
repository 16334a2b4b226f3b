# Sourced by ./demo and ./chaos: builds first what has changed since the last time, and then runs a
# class of the module chaos-campaigns.

# shellcheck source=progress.bash
source "$root/.mvn/progress.bash"

module=$root/chaos-campaigns
class_path_file=$module/target/chaos.classpath

# Whether the last build is still good: nothing newer than it, and everything it names is there.
is_built() {
  [[ -f $class_path_file ]] || return 1
  [[ -z $(find "$root" -path '*/target' -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$class_path_file" -print -quit) ]] ||
    return 1
  local entries entry
  IFS=: read -r -a entries <"$class_path_file" || true
  for entry in "${entries[@]}"; do
    [[ -f $entry ]] || return 1
  done
}

# Runs the command of this name with its arguments.
launch() {
  local name=$1 java=java
  shift
  if [[ -n ${JAVA_HOME:-} ]]; then
    java=$JAVA_HOME/bin/java
  fi
  if ! is_built; then
    echo "$name: building; the first time, Maven fetches a broker and its libraries, which takes some minutes" >&2
    rm -f "$class_path_file"
    # Through a pipe, or Maven would reset the colours of a terminal that has none.
    (cd "$root" && ./mvnw -B -pl chaos-campaigns -am package "${quick[@]}") 2>&1 |
      show_progress "$name" 720 >&2
  fi
  # The failures of the scenes are part of them. Consumer processes have a log of their own.
  local options=(--enable-native-access=ALL-UNNAMED "-Dchaos.command=$name" -Ddemo.log.level=ERROR)
  local classes=$module/target/classes:$root/demo-order-service/target/classes
  exec "$java" "${options[@]}" -cp "$classes:$(<"$class_path_file")" io.hapax.chaos.ChaosCommand "$@"
}
