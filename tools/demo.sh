#!/bin/sh
# The first run: install the model, ask the 24 tasks, verify the bundle, say what to do next.
# Each call writes a new folder: runs/demo-1, runs/demo-2, …
set -eu

cd "$(dirname "$0")/.."
bin=${VENV:-.venv}/bin

number=1
while [ -e "runs/demo-$number" ] || [ -e "runs/demo-$number.zip" ]; do number=$((number + 1)); done
out=runs/demo-$number
mkdir -p runs

"$bin/trigpoint" local install
code=0
resume=
if [ -e "$out.unfinished/run.json" ]; then resume=--resume; fi # a run that was broken off goes on
"$bin/trigpoint" run core-v1 --out "$out" $resume || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then exit "$code"; fi
"$bin/trigpoint" verify "$out"

cat <<EOF

The bundle lies in $out: every task, reply, grade and digest in plain files; its README.txt says what is what.

What next
  $bin/trigpoint report $out -o report.html
      one page with every task, reply and grade
  PYTHONPATH=src python3 -m trigpoint.core.verify $out
      verify it again with bare Python: nothing installed, here or on another machine
  $bin/trigpoint run core-v1 --model openai/NAME
      ask a model of your choice (its key in OPENAI_API_KEY; --dry-run says what it would cost)
  docs/tutorial/first-run.md
      what the figures say, and what they don't
EOF
exit "$code"
