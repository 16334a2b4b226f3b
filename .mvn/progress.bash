# Shows how far a build is: one line for each module, one for every 50 files that Maven has fetched,
# and every error. Reads what Maven prints; the first argument begins each line.
show_progress() {
  local line files=0
  while IFS= read -r line; do
    case $line in
      '[INFO] Building '*'['*'/'*']')
        read -r -a words <<<"$line"
        echo "$1: building ${words[*]:2}"
        ;;
      '[INFO] Downloaded from '* | 'Downloaded from '*)
        files=$((files + 1))
        if ((files % 50 == 0)); then
          echo "$1: $files files fetched"
        fi
        ;;
      '[ERROR]'*) echo "$line" ;;
    esac
  done
}
