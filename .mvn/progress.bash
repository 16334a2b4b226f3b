# The build of a command: it leaves the checks to "./mvnw verify", which makes it three times as fast.
quick=(-Dmaven.test.skip=true -Dspotless.check.skip=true -Derror-prone.plugin=-XDnone)

# Shows how far a build is: one line for each module, one for every 25 MB that Maven has fetched,
# every error, and after ten seconds without any of these what Maven does. Reads what Maven prints.
# The first argument begins each line; the second one is how many MB an empty cache lacks.
show_progress() {
  local line part status kilobytes=0 told=0 under_way=0 rest='' doing='at work'
  local started=$SECONDS shown=$SECONDS
  while true; do
    status=0
    IFS= read -r -t 2 part || status=$?
    rest+=$part
    if ((status == 0)); then
      line=$rest
      rest=''
      case $line in
        '[INFO] Building '*'['*'/'*']')
          read -r -a words <<<"$line"
          doing='building'
          under_way=0
          echo "$1: building ${words[*]:2}"
          shown=$SECONDS
          ;;
        *'Downloading from '*) under_way=$((under_way + 1)) ;;
        '[INFO] Downloaded from '* | 'Downloaded from '*)
          under_way=$((under_way - 1))
          if [[ $line =~ \(([0-9]+)(\.([0-9]))?\ (kB|MB)\ at ]]; then
            part=${BASH_REMATCH[1]}
            if [[ ${BASH_REMATCH[4]} == MB ]]; then
              part=$((part * 1000 + 100 * ${BASH_REMATCH[3]:-0}))
            fi
            kilobytes=$((kilobytes + part))
          fi
          if ((kilobytes - told >= 25000)); then
            echo "$1: $((kilobytes / 1000)) MB fetched${2:+, of about $2 MB with an empty cache}"
            told=$kilobytes
            shown=$SECONDS
          fi
          ;;
        '[ERROR]'*) echo "$line" ;;
      esac
    elif ((status <= 128)); then
      return 0
    fi
    if ((SECONDS - shown >= 10)); then
      if ((under_way > 0)); then
        echo "$1: still fetching ($under_way files under way) after $((SECONDS - started)) s"
      else
        echo "$1: still $doing after $((SECONDS - started)) s"
      fi
      shown=$SECONDS
    fi
  done
}
