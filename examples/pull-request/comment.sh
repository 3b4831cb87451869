#!/usr/bin/env bash
# Posts the comment that `minutehand diff -o markdown` made, or updates the one that is there, or leaves it as it is.
#
#   comment.sh github PULL_REQUEST FILE     gh, jq; GH_TOKEN, GITHUB_REPOSITORY
#   comment.sh gitlab MERGE_REQUEST FILE    curl, jq; MINUTEHAND_TOKEN, CI_API_V4_URL, CI_PROJECT_ID
#
# COMMENT_ID is the --comment-id of the diff. COMMENT_AUTHOR is the login that the token of GitHub posts as.
set -euo pipefail

refuse() {
  echo "comment.sh: $1" >&2
  exit 64
}

[[ $# == 3 ]] || refuse 'say: comment.sh github|gitlab NUMBER FILE'
host=$1 number=$2 file=$3
marker="<!-- minutehand:diff ${COMMENT_ID:-default} -->"

[[ $number =~ ^[1-9][0-9]*$ ]] || refuse "$number is no number of a pull request"
# The file may be a fork's: a link would tell what else lies on this machine.
[[ -f $file && ! -L $file ]] || refuse "$file is no file"
IFS= read -r first <"$file" || true
[[ $first == "$marker" ]] || refuse "$file does not begin with $marker"

case $host in
github)
  # Anybody can write the marker into a comment; only a comment of this login is ever changed.
  author=${COMMENT_AUTHOR:-github-actions[bot]}
  comments="repos/$GITHUB_REPOSITORY/issues/$number/comments"
  list() { gh api --paginate "$comments?per_page=100"; }
  create() { gh api --silent --method POST "$comments" --field "body=@$file"; }
  update() { gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$1" --field "body=@$file"; }
  ;;
gitlab)
  comments="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$number/notes"
  # The token goes by a file descriptor, since arguments are seen by every process.
  call() { curl --fail --silent --show-error --header @<(printf 'PRIVATE-TOKEN: %s\n' "$MINUTEHAND_TOKEN") "$@"; }
  author=$(call "$CI_API_V4_URL/user" | jq -er .username)
  list() {
    local page=1 notes
    while true; do
      notes=$(call "$comments?sort=asc&order_by=created_at&per_page=100&page=$page") || return
      printf '%s\n' "$notes"
      [[ $(jq length <<<"$notes") == 100 ]] || return 0
      page=$((page + 1))
    done
  }
  create() { call --output /dev/null --request POST "$comments" --data-urlencode "body@$file"; }
  update() { call --output /dev/null --request PUT "$comments/$1" --data-urlencode "body@$file"; }
  ;;
*) refuse "$host is neither github nor gitlab" ;;
esac

# A list that breaks off ends the script here: taken for empty, it would give a second comment.
# Hosts may change the ends of lines, and drop the last one.
todo=$(list | jq -rs --arg author "$author" --arg marker "$marker" --rawfile body "$file" '
  def plain: split("\r\n") | join("\n") | rtrimstr("\n");
  add // [] | map(select((.user // .author // {} | .login // .username) == $author))
  | map(select(.body // "" | plain | startswith($marker + "\n")))
  | if length == 0 then "create"
    elif (.[0].body | plain) == ($body | plain) then "keep"
    else "update \(.[0].id)" end')

case $todo in
create)
  create
  echo 'comment posted'
  ;;
keep) echo 'comment is the same' ;;
update\ *)
  update "${todo#update }"
  echo 'comment updated'
  ;;
*) refuse 'the list of comments is none' ;;
esac
