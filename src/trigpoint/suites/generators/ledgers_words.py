"""The words of ledgers/1: who orders what, and how notes say it. Part of the version: never edited."""

from __future__ import annotations

NAMES = (
    "Abel", "Britt", "Cosima", "Dario", "Edda", "Fabian", "Greta", "Henrik", "Imke", "Jonas", "Katja", "Levin",
    "Mirja", "Nils", "Odile", "Piet", "Quirin", "Runa", "Stellan", "Tilda",
)  # fmt: skip
WARES = (
    "lamps", "baskets", "kettles", "blankets", "mirrors", "stools", "candles", "brushes", "buckets", "trays",
    "lanterns", "cushions", "ladles", "clocks", "vases", "aprons",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

OPENINGS = (
    "Below are the notes a workshop's clerk took on one day, in the order in which they were written.",
    "These notes come from the order book of a small warehouse, copied as they were written, one after another.",
    "A shop's assistant wrote down the day's calls like this, each note after the one before.",
)

#: what a note does (and to which field) → sentences
NOTES = {
    "order": (
        "{c} wants {quantity} {ware}, to be brought on {day}.",
        "{c} asked for {quantity} {ware}; delivery on {day}.",
        "For {day}, {c} ordered {quantity} {ware}.",
    ),
    "set quantity": (
        "{c} rang: the number is to be {quantity}.",
        "Change for {c}: {quantity} pieces now.",
    ),
    "set ware": (
        "{c} would rather have {ware}, as many as were noted.",
        "Change for {c}: the goods are to be {ware}.",
    ),
    "set day": (
        "{c} can only be reached on {day}, so deliver then.",
        "Change for {c}: bring it on {day}.",
    ),
    "undo quantity": (
        "The change to {quantity} pieces for {c} was a mistake of mine; what stood before holds again.",
        "{c} takes back the change of number to {quantity}: as it was before, please.",
    ),
    "undo ware": (
        "The change to {ware} for {c} was a mistake of mine; what stood before holds again.",
        "{c} takes back the change of goods to {ware}: as it was before, please.",
    ),
    "undo day": (
        "The change to {day} for {c} was a mistake of mine; what stood before holds again.",
        "{c} takes back the change of day to {day}: as it was before, please.",
    ),
    "cancel": (
        "{c} cancels the order.",
        "No delivery to {c} after all: order cancelled.",
    ),
    "revive": (
        "{c} wants the cancelled order after all, just as it stood.",
        "The order of {c} is on again, unchanged.",
    ),
}

ASIDES = (
    "(Last month {c} took {n} {w}, paid already.)",
    "(A neighbour of {c} may want {n} {w} some {d}, but orders nothing yet.)",
    "({c} mentioned that the shop was shut on {d} last week.)",
    "(We still have {n} {w} in the back, for nobody in particular.)",
    "(In a dream {c} bought {n} {w}; we laughed about it on {d}.)",
)

CLOSING = """\
Remarks in brackets change nothing. Give what holds after the last note as JSON of this form:
{"orders": {NAME: {"quantity": NUMBER, "ware": WARE, "day": DAY}, …}, "cancelled": [NAME, …]}
"orders" has one member for each customer whose order stands; "cancelled" lists the customers whose order is \
cancelled, in alphabetical order, and is [] when there are none. Write names, wares and days as in the notes."""
