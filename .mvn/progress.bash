# Shows how far a build is: one line for each module, one for every 50 files that Maven has fetched,
# every error, and after ten seconds without any of these what Maven does. Reads what Maven prints;
# the first argument begins each line.
show_progress() {
  local line part status files=0 under_way=0 rest='' doing='at work'
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
          files=$((files + 1))
          under_way=$((under_way - 1))
          if ((files % 50 == 0)); then
            echo "$1: $files files fetched"
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
