#!/bin/sh
# sh live.sh NOTES FOLDER: tell the notes day by day, each at its own time, and sleep after each day.
# What the nights said is in FOLDER.nights.
set -e
notes=$1
folder=$2
if [ ! -f "$notes" ] || [ -z "$folder" ]; then
    echo "sh live.sh NOTES FOLDER: NOTES is a file such as family.jsonl" >&2
    exit 2
fi
exec > "$folder.nights"
days=$(sed 's/.*"event_time": "\([0-9-]*\)T.*/\1/' "$notes" | sort -u)
for day in $days; do
    export COMPANION_NOW="${day}T22:00"
    [ -d "$folder" ] || companion init "$folder"
    grep "\"event_time\": \"$day" "$notes" > "$folder.today"
    companion -C "$folder" ingest --jsonl "$folder.today"
    export COMPANION_NOW="${day}T23:30"
    companion -C "$folder" consolidate
done
rm "$folder.today"
