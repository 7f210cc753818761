"""README.txt: the fixed text in every bundle of this format version."""

README = """\
A trigpoint bundle (trigpoint-bundle/1)
=======================================

What is in it
  manifest.json       every file with its SHA-256 and size, and one root over all
  result.json         the score, its intervals, the breakdown, outcomes by name
  setup.json          the run tuple: model, harness, suite, inference, host; where each field comes from
  suite/              the exact questions and grading rules
  calls.jsonl         one line an attempt: when, how it ended, tokens, latency
  items.jsonl         one line an item and repeat: what came back, how it was read, its grade
  observations.jsonl  what instruments saw (empty where there are none)
  signatures/         optional; outside the root

How to check it
  With trigpoint:     trigpoint verify FOLDER
  With bare Python:   python3 -I trigpoint-verify.pyz FOLDER   (one file, no packages, no network)
  From a checkout:    PYTHONPATH=src python3 -m trigpoint.core.verify FOLDER
  Exit code 0: every check holds. 1: something contradicts. 3: evidence is absent. 2: unreadable or refused.

What checking can't see
  It recomputes every digest, grade, score and interval from the stored replies. It can't tell whether a
  model really gave those replies. A signature, or a root published beforehand (--expect ROOT), ties the
  bundle to somebody or to a moment; without one, a forger who rewrites everything consistently, replies
  included, can't be seen from inside.
  Keys are redacted where they stand literally. A key that was transformed or split can't be recognised:
  the endpoint must be trusted not to send one.
"""
